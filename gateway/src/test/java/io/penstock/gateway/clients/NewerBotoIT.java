package io.penstock.gateway.clients;

class NewerBotoIT extends ClientContract {
  NewerBotoIT() {
    super(Judge.NEWER_BOTO3);
  }
}
