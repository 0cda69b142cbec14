package io.penstock.gateway.clients;

class AwsCliIT extends ClientContract {
  AwsCliIT() {
    super(Judge.AWS_CLI);
  }
}
