package io.penstock.gateway.clients;

class NodeIT extends ClientContract {
  NodeIT() {
    super(Judge.NODE);
  }
}
