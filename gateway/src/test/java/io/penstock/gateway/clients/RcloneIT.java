package io.penstock.gateway.clients;

class RcloneIT extends ClientContract {
  RcloneIT() {
    super(Judge.RCLONE);
  }
}
