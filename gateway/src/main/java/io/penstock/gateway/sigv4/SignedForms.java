package io.penstock.gateway.sigv4;

import io.penstock.gateway.sigv4.CanonicalRequest.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lists the forms of a head, beside the usual one, that its client may have signed. All of them
 * name the same bucket, key and parameters, so any one of them proves the request.
 *
 * <p>Threading: stateless.
 */
final class SignedForms {
  private SignedForms() {}

  static List<Form> others(CanonicalRequest request, SignedHosts hosts) {
    List<Optional<String>> names = new ArrayList<>();
    names.add(Optional.empty());
    request
        .fields()
        .get("host")
        .ifPresent(host -> hosts.alternatives(host).forEach(h -> names.add(Optional.of(h))));
    List<Boolean> recoded = request.hasOtherPath() ? List.of(false, true) : List.of(false);
    List<Boolean> collapsed = request.hasRunsOfSpaces() ? List.of(true, false) : List.of(true);
    List<Form> forms = new ArrayList<>();
    for (Optional<String> name : names) {
      for (boolean path : recoded) {
        for (boolean spaces : collapsed) {
          forms.add(new Form(path, spaces, name));
        }
      }
    }
    forms.remove(Form.WIRE);
    return forms;
  }
}
