package io.penstock.gateway.clients;

class S3fsIT extends ClientContract {
  S3fsIT() {
    super(Judge.S3FS);
  }
}
