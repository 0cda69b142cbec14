package io.penstock.gateway.clients;

class NewerAwsCliIT extends ClientContract {
  NewerAwsCliIT() {
    super(Judge.NEWER_AWS_CLI);
  }
}
