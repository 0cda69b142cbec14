package io.penstock.gateway.app.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A TCP port, 0 to 65535. */
final class PortConverter implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String value) {
    try {
      int port = Integer.parseInt(value);
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException _) {
      // the same complaint for both
    }
    throw new TypeConversionException("'" + value + "' is not a port; use 0 to 65535");
  }
}
