package io.penstock.gateway.clients;

class SdkCrtIT extends ClientContract {
  SdkCrtIT() {
    super(Judge.SDK_CRT);
  }
}
