package io.penstock.gateway.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessLogTest {

  @ParameterizedTest
  @CsvSource({
    "/b/k?X-Amz-Signature=abc&x-id=GetObject, /b/k?X-Amz-Signature=***&x-id=GetObject",
    "/b/k?x-id=GetObject&X-Amz-Security-Token=a%2Fb, /b/k?x-id=GetObject&X-Amz-Security-Token=***",
    "/b/k?X-Amz-Credential=AK%2F2026, /b/k?X-Amz-Credential=***",
    "/b/k?AWSAccessKeyId=AK&Signature=s%3D&Expires=1, /b/k?AWSAccessKeyId=***&Signature=***&Expires=1",
    "/b/signature=plain, /b/signature=plain",
  })
  void whatCouldRepeatASignedRequestIsMasked(String target, String logged) {
    assertThat(AccessLog.redact(target)).isEqualTo(logged);
  }

  @Test
  void anOrdinaryTargetIsKept() {
    assertThat(AccessLog.redact("/b/a%20b?list-type=2&prefix=x"))
        .isEqualTo("/b/a%20b?list-type=2&prefix=x");
  }
}
