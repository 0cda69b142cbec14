package io.penstock.gateway.exchange;

import io.penstock.gateway.s3.S3RequestParser;
import io.penstock.gateway.s3.UserMetadata;
import java.util.function.LongSupplier;

/** What do they want? */
public final class ParseStage implements Stage {
  private final S3RequestParser parser;
  private final LongSupplier maxMetadata;

  /**
   * A stage with this parser.
   *
   * @param maxMetadata largest user metadata of an object, bytes
   */
  public ParseStage(S3RequestParser parser, LongSupplier maxMetadata) {
    this.parser = parser;
    this.maxMetadata = maxMetadata;
  }

  @Override
  public void apply(Exchange exchange) {
    UserMetadata.check(exchange.head(), maxMetadata.getAsLong());
    exchange.parsed(parser.parse(exchange.head()));
  }
}
