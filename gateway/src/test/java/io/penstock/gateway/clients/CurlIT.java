package io.penstock.gateway.clients;

class CurlIT extends ClientContract {
  CurlIT() {
    super(Judge.CURL);
  }
}
