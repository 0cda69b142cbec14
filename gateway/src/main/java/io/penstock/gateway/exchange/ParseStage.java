package io.penstock.gateway.exchange;

import io.penstock.gateway.s3.S3RequestParser;

/** What do they want? */
public final class ParseStage implements Stage {
  private final S3RequestParser parser;

  public ParseStage(S3RequestParser parser) {
    this.parser = parser;
  }

  @Override
  public void apply(Exchange exchange) {
    exchange.parsed(parser.parse(exchange.head()));
  }
}
