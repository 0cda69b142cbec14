package io.penstock.gateway.clients;

class SdkSyncIT extends ClientContract {
  SdkSyncIT() {
    super(Judge.SDK_SYNC);
  }
}
