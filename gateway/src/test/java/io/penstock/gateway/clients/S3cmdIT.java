package io.penstock.gateway.clients;

class S3cmdIT extends ClientContract {
  S3cmdIT() {
    super(Judge.S3CMD);
  }
}
