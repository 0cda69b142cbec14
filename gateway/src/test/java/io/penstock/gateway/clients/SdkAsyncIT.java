package io.penstock.gateway.clients;

class SdkAsyncIT extends ClientContract {
  SdkAsyncIT() {
    super(Judge.SDK_ASYNC);
  }
}
