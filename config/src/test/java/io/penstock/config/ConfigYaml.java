package io.penstock.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes a configuration as YAML, every value in full: the other direction, for the properties. */
final class ConfigYaml {
  private ConfigYaml() {}

  static String of(GatewayConfig config) {
    return section(config, "");
  }

  private static String section(Record section, String indent) {
    StringBuilder yaml = new StringBuilder();
    boolean anonymous = section instanceof TenantConfig tenant && tenant.anonymous();
    for (KeySchema key : SectionSchema.of(section.getClass()).keys()) {
      Object value = SectionSchema.get(section, key);
      if (value instanceof Optional<?> optional) {
        if (optional.isEmpty()) {
          continue;
        }
        value = optional.get();
      }
      if (anonymous && key.rules().unless().equals("anonymous")) {
        continue;
      }
      yaml.append(indent).append(key.name()).append(":").append(value(value, key, indent));
    }
    return yaml.toString();
  }

  private static String value(Object value, KeySchema key, String indent) {
    if (key.shape() instanceof Shape.Many(Shape.Nested _)) {
      return "\n"
          + ((List<?>) value)
              .stream()
                  .map(item -> indent + "  -\n" + section((Record) item, indent + "    "))
                  .collect(Collectors.joining());
    }
    if (value instanceof List<?> list) {
      return " [" + list.stream().map(ConfigYaml::scalar).collect(Collectors.joining(", ")) + "]\n";
    }
    return key.shape() instanceof Shape.Nested
        ? "\n" + section((Record) value, indent + "  ")
        : " " + scalar(value) + "\n";
  }

  private static String scalar(Object value) {
    return switch (value) {
      case String text -> quoted(text);
      case Secret secret -> quoted(secret.reveal());
      case URI uri -> quoted(uri.toString());
      case Path path -> quoted(path.toString());
      case Duration duration -> duration.toMillis() + "ms";
      case Enum<?> constant -> Scalars.spelling(constant);
      default -> value.toString();
    };
  }

  private static String quoted(String text) {
    StringBuilder yaml = new StringBuilder("\"");
    text.replace("${", "$${")
        .chars()
        .forEach(
            c -> {
              boolean plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
              yaml.append(plain ? Character.toString(c) : "\\u%04X".formatted(c));
            });
    return yaml.append('"').toString();
  }
}
