package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The default upload of the AWS SDK for Java (aws-chunked, a checksum in the trailer) against
 * radosgw 16.2, which is older than that: refused directly, stored plain through the gateway.
 */
class OldStoreIT {
  private static Stand stand;

  @BeforeAll
  static void start() {
    stand = Stand.of(StoreUnderTest.Kind.RADOSGW);
  }

  @ParameterizedTest
  @EnumSource(names = {"SDK_SYNC", "SDK_ASYNC", "SDK_CRT"})
  void aDefaultPutIsRefusedByTheStoreAndSucceedsThroughTheGateway(Judge judge) {
    String bucket = "old-store-" + judge.label();
    Path body = Bodies.small("old-store");
    try (Bench direct = new Bench(judge, bucket + "-direct", stand.direct(), stand.reader());
        Bench gateway = new Bench(judge, bucket, stand.gateway(), stand.reader())) {
      assertThatExceptionOfType(Exception.class)
          .isThrownBy(() -> direct.client().put("key", body))
          .withMessageContaining("400");
      direct.assertNotStored("key");
      gateway.client().put("key", body);
      gateway.assertStored("key", body);
      assertThat(gateway.reader().head(gateway.bucket(), "key").contentEncoding())
          .as("what is left of aws-chunked")
          .isNull();
    }
  }

  @AfterAll
  static void forget() {
    stand = null;
  }
}
