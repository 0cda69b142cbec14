package io.penstock.gateway.clients;

class MinioJavaIT extends ClientContract {
  MinioJavaIT() {
    super(Judge.MINIO_JAVA);
  }
}
