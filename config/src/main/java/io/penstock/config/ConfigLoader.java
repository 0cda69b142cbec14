package io.penstock.config;

import io.penstock.config.yaml.Position;
import io.penstock.config.yaml.YamlDocument;
import io.penstock.config.yaml.YamlNode;
import io.penstock.config.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Reads a configuration file, the environment variables it names and the files it names, and
 * returns either a {@link GatewayConfig} that passed every check or everything that is wrong at
 * once. Never throws for anything a file can hold.
 *
 * <p>Threading: stateless after construction; reads files on the calling thread.
 */
public final class ConfigLoader {
  /** Room for some 20,000 tenants; more is a mistake or an attack. */
  static final int MAX_BYTES = 4 << 20;

  private final Placeholders placeholders;

  /**
   * @param environment what {@code ${NAME}} in the file is looked up in, usually {@code
   *     System.getenv()}
   */
  public ConfigLoader(Map<String, String> environment) {
    this.placeholders = new Placeholders(environment);
  }

  /** Reads the file. */
  public ConfigResult load(Path file) {
    return read(file).result();
  }

  /**
   * Reads text that stands for a file.
   *
   * @param directory where relative file names in the text start
   */
  public ConfigResult parse(String yaml, Path directory) {
    return bind(yaml, new ReferencedFiles(directory));
  }

  /** A result and the files it depends on, those that are missing included. */
  record Reading(ConfigResult result, Set<Path> files) {}

  Reading read(Path file) {
    Path absolute = file.toAbsolutePath();
    Path directory = absolute.getParent();
    var files = new ReferencedFiles(directory == null ? absolute : directory);
    ConfigResult result =
        switch (text(absolute)) {
          case Source.Text source -> bind(source.text(), files);
          case Source.Unreadable source -> invalid(source.at(), source.why());
        };
    Set<Path> seen = new HashSet<>(files.seen());
    seen.add(absolute);
    return new Reading(result, Set.copyOf(seen));
  }

  private ConfigResult bind(String yaml, ReferencedFiles files) {
    Problems problems = new Problems();
    YamlDocument document = YamlReader.read(yaml);
    document.findings().forEach(it -> problems.add("", it.at(), it.message()));
    if (document.root().isEmpty() && problems.isEmpty()) {
      return invalid(Position.START, "the file is empty; start from examples/minimal.yaml");
    }
    YamlNode root = document.root().orElse(new YamlNode.Broken(Position.START));
    Bindings bindings = new Bindings();
    var values = new ValueBinder(placeholders, files, problems);
    Bound bound = new SectionBinder(values, bindings, problems).bind(GatewayConfig.class, root, "");
    new CrossChecks(bindings, problems).run();
    return bound instanceof Bound.Value(GatewayConfig config) && problems.isEmpty()
        ? new ConfigResult.Loaded(config)
        : new ConfigResult.Invalid(problems.sorted());
  }

  private sealed interface Source {
    record Text(String text) implements Source {}

    record Unreadable(Position at, String why) implements Source {}
  }

  private static Source text(Path file) {
    if (Files.isDirectory(file)) {
      return new Source.Unreadable(Position.START, "this is a directory; name a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      return bytes.length > MAX_BYTES
          ? new Source.Unreadable(
              Position.START,
              "the file is larger than " + new ByteSize(MAX_BYTES) + "; is it the right one?")
          : decode(bytes);
    } catch (NoSuchFileException e) {
      return new Source.Unreadable(Position.START, "there is no such file");
    } catch (AccessDeniedException e) {
      return new Source.Unreadable(Position.START, "this user may not read the file");
    } catch (IOException e) {
      String kind = e.getClass().getSimpleName();
      return new Source.Unreadable(Position.START, "reading the file failed: " + kind);
    }
  }

  private static Source decode(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    if (!decoder.decode(in, out, true).isError()) {
      return new Source.Text(out.flip().toString());
    }
    int line = 1;
    for (int i = 0; i < in.position(); i++) {
      line += bytes[i] == '\n' ? 1 : 0;
    }
    return new Source.Unreadable(
        new Position(line, 1), "this line is not UTF-8; save the file as UTF-8");
  }

  private static ConfigResult invalid(Position at, String message) {
    Problems problems = new Problems();
    problems.add("", at, message);
    return new ConfigResult.Invalid(problems.sorted());
  }
}
