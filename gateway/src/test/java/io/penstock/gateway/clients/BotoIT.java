package io.penstock.gateway.clients;

class BotoIT extends ClientContract {
  BotoIT() {
    super(Judge.BOTO3);
  }
}
