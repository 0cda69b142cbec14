package io.penstock.gateway.clients;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A client in a process of its own, driven by a script that reads one operation a line and answers
 * with one line, fields separated by tabs: {@code ok} and results, or {@code error} and what the
 * client said.
 *
 * <p>Threading: one thread.
 */
final class ScriptedClient implements Client {
  // settings of the machine that would make the client not the one a stranger has
  private static final List<String> UNSET =
      List.of(
          "AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "AWS_PROFILE");

  private final Daemon script;

  private ScriptedClient(Daemon script) {
    this.script = script;
  }

  static ScriptedClient start(List<String> command, Endpoint endpoint, String bucket, Path work) {
    return new ScriptedClient(process(command, endpoint, bucket, work));
  }

  /**
   * Starts {@code command} with the endpoint, the bucket and the scratch folder in its environment,
   * and returns once it answers.
   */
  static Daemon process(List<String> command, Endpoint endpoint, String bucket, Path work) {
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    UNSET.forEach(environment::remove);
    environment.put("JUDGE_ENDPOINT", endpoint.uri().toString());
    environment.put("JUDGE_BUCKET", bucket);
    environment.put("JUDGE_WORK", work.toString());
    environment.put("AWS_ACCESS_KEY_ID", endpoint.accessKey());
    environment.put("AWS_SECRET_ACCESS_KEY", endpoint.secretKey());
    environment.put("AWS_DEFAULT_REGION", endpoint.region());
    environment.put("AWS_MAX_ATTEMPTS", "1");
    environment.put("AWS_EC2_METADATA_DISABLED", "true");
    environment.put("HOME", work.toString());
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("PYTHONDONTWRITEBYTECODE", "1");
    endpoint
        .ca()
        .ifPresent(
            ca -> {
              environment.put("JUDGE_CA", ca.toString());
              environment.put("NODE_EXTRA_CA_CERTS", ca.toString());
            });
    Daemon script = Daemon.start(builder, work.resolve("stderr.log"));
    script.readLine();
    return script;
  }

  private List<String> ask(String... request) {
    script.writeLine(String.join("\t", request));
    String reply = script.readLine();
    List<String> fields = List.of(reply.split("\t", -1));
    if (!fields.getFirst().equals("ok")) {
      throw new ClientFailure(String.join(" ", request) + ": " + reply);
    }
    return fields.subList(1, fields.size());
  }

  @Override
  public void put(String key, Path body) {
    ask("put", key, body.toString());
  }

  @Override
  public void get(String key, Path into) {
    ask("get", key, into.toString());
  }

  @Override
  public long head(String key) {
    return Long.parseLong(ask("head", key).getFirst());
  }

  @Override
  public Listing list(String prefix, String delimiter) {
    List<String> keys = new ArrayList<>();
    List<String> prefixes = new ArrayList<>();
    for (String field : ask("list", prefix, delimiter)) {
      (field.startsWith("k") ? keys : prefixes).add(field.substring(1));
    }
    return new Listing(keys, prefixes);
  }

  @Override
  public void copy(String from, String to) {
    ask("copy", from, to);
  }

  @Override
  public void delete(String key) {
    ask("delete", key);
  }

  @Override
  public void deleteAll(List<String> keys) {
    List<String> request = new ArrayList<>(List.of("delete_all"));
    request.addAll(keys);
    ask(request.toArray(String[]::new));
  }

  @Override
  public void putInParts(String key, Path body) {
    ask("put_in_parts", key, body.toString());
  }

  @Override
  public void getRange(String key, long first, long last, Path into) {
    ask("get_range", key, Long.toString(first), Long.toString(last), into.toString());
  }

  @Override
  public void close() {
    script.close();
  }
}
