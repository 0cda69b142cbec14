package io.penstock.gateway.batch;

import io.penstock.arrow.wire.ItemStatus;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.s3.S3Xml;
import io.penstock.gateway.upstream.UpstreamFailure;
import java.util.Arrays;
import java.util.Optional;

/**
 * Turns what the store said, or did not say, into the status of an item, and that into an error.
 */
final class StoreAnswers {
  private StoreAnswers() {}

  /** An answer that is none of 200 and 206. */
  static ItemStatus.Failed refused(int status, byte[] document) {
    int shown = status >= 400 && status <= 599 ? status : 502;
    String code = S3Xml.errorCode(document).orElseGet(() -> codeOf(status));
    return new ItemStatus.Failed(shown, code, "the store answered " + status + " " + code);
  }

  /** No whole answer. */
  static ItemStatus.Failed failed(Throwable cause) {
    return switch (cause) {
      case S3Exception refused ->
          new ItemStatus.Failed(
              refused.error().status(),
              refused.error().code(),
              String.valueOf(refused.getMessage()));
      case UpstreamFailure.Overloaded full ->
          of(S3Error.SLOW_DOWN, full.getMessage() + ": ask for fewer items at once");
      case UpstreamFailure failure ->
          of(
              S3Error.SERVICE_UNAVAILABLE,
              "the store did not answer (" + failure.getMessage() + "): try again");
      default ->
          of(S3Error.INTERNAL_ERROR, "the gateway failed on this item; its log has the reason");
    };
  }

  static ItemStatus.Failed of(S3Error error, String message) {
    return new ItemStatus.Failed(error.status(), error.code(), message);
  }

  /** An item's failure as the answer to the whole request. */
  static S3Exception exception(ItemOutcome.Missing item) {
    return exception(item.status(), describe(item));
  }

  /** A failure with a text of its own. */
  static S3Exception exception(ItemStatus.Failed status, String text) {
    return new S3Exception(known(status.code()).orElse(S3Error.INVALID_REQUEST), text);
  }

  /** Which item, and why. */
  static String describe(ItemOutcome.Missing item) {
    return "item %d (%s): %s: %s"
        .formatted(
            item.head().index(), item.head().key(), item.status().code(), item.status().message());
  }

  private static Optional<S3Error> known(String code) {
    return Arrays.stream(S3Error.values()).filter(error -> error.code().equals(code)).findFirst();
  }

  private static String codeOf(int status) {
    return switch (status) {
      case 403 -> S3Error.ACCESS_DENIED.code();
      case 404 -> S3Error.NO_SUCH_KEY.code();
      case 412 -> S3Error.PRECONDITION_FAILED.code();
      case 416 -> S3Error.INVALID_RANGE.code();
      case 503 -> S3Error.SLOW_DOWN.code();
      default -> status >= 500 ? S3Error.INTERNAL_ERROR.code() : S3Error.INVALID_REQUEST.code();
    };
  }
}
