package io.penstock.k8s;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The chart, rendered as {@code helm template} does, by Helm itself. */
final class Chart {
  static final Path FOLDER = Path.of("chart");

  /** The oldest that Chart.yaml allows. */
  private static final String KUBERNETES = "1.30.0";

  private Chart() {}

  /** A file of values under src/test/resources/values. */
  static Path values(String name) {
    return Path.of("src", "test", "resources", "values", name);
  }

  /**
   * The manifests as text.
   *
   * @param sets {@code key=value} as for {@code --set}
   * @throws IllegalStateException with Helm's words if it refuses
   */
  static String render(List<Path> values, String... sets) {
    TemplateCommand command =
        new Helm(FOLDER)
            .template()
            .withName("gw")
            .withNamespace("data")
            .withKubeVersion(KUBERNETES);
    values.forEach(command::withValuesFile);
    for (String set : sets) {
      int equals = set.indexOf('=');
      command.set(set.substring(0, equals), set.substring(equals + 1));
    }
    return command.call();
  }

  static List<Manifest> manifests(List<Path> values, String... sets) {
    return parse(render(values, sets));
  }

  static List<Manifest> parse(String rendered) {
    List<Manifest> manifests = new ArrayList<>();
    for (Object document : load(rendered)) {
      if (document instanceof Map<?, ?> tree) {
        manifests.add(new Manifest(tree));
      }
    }
    return manifests;
  }

  private static Iterable<Object> load(String yaml) {
    return new Load(LoadSettings.builder().build()).loadAllFromString(yaml);
  }
}
