package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.testing.Stack;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/**
 * Every operation of the AWS SDK, once straight to the store and once through the gateway, each on
 * buckets of its own in the same state: both give the same answer.
 */
class EveryOperationIT {
  private static final String KEY = "a+b c/é//x%2Fy";

  /** What the gateway refuses, and says so. */
  private static final Set<String> NOT_PASSED =
      Stream.of(S3Action.values())
          .filter(action -> Refusal.of(action, StoreKind.OTHER).isPresent())
          .map(S3Action::apiName)
          .collect(Collectors.toSet());

  /** What the SDK sends to a host, or signs for a service, that is not this store. */
  private static final Set<String> NOT_SENT =
      Set.of("ListDirectoryBuckets", "WriteGetObjectResponse");

  /** One client with buckets of its own. */
  private record Side(S3AsyncClient client, String bucket, String source) {
    Map<String, Object> given() {
      return Map.ofEntries(
          Map.entry("Bucket", bucket),
          Map.entry("Key", KEY),
          Map.entry("DestinationBucket", bucket),
          Map.entry("DestinationKey", KEY),
          Map.entry("SourceBucket", source),
          Map.entry("SourceKey", KEY));
    }
  }

  private static EmbeddedStore store;
  private static Stack stack;
  private static Side direct;
  private static Side through;

  @BeforeAll
  static void start() throws Exception {
    store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    stack = Stack.start(store.endpoint(), "ak", "sk", "");
    direct = side(store.endpoint(), "ak", "sk", "direct");
    through = side(stack.s3(), Stack.ACCESS_KEY, Stack.SECRET_KEY, "through");
    prepare(direct);
    prepare(through);
  }

  private static Side side(URI endpoint, String accessKey, String secretKey, String name) {
    S3AsyncClient client =
        S3AsyncClient.builder()
            .endpointOverride(endpoint)
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .disableS3ExpressSessionAuth(true)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)))
            .overrideConfiguration(c -> c.retryStrategy(retries -> retries.maxAttempts(1)))
            .build();
    return new Side(client, name, name + "-source");
  }

  @AfterAll
  static void stop() throws Exception {
    direct.client().close();
    through.client().close();
    stack.close();
    store.close();
  }

  static Stream<Arguments> operations() {
    return SdkRequests.operations().keySet().stream()
        .filter(name -> !NOT_SENT.contains(name))
        .map(name -> arguments(name));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void isAnsweredAsTheStoreAnswers(String operation) {
    if (operation.startsWith("Delete") || operation.startsWith("Put")) {
      prepare(direct);
      prepare(through);
    }
    String answer = answer(through, operation);
    if (NOT_PASSED.contains(operation)) {
      assertThat(answer).isEqualTo("501 NotImplemented");
    } else {
      assertThat(answer).isEqualTo(answer(direct, operation));
    }
  }

  /** Buckets and objects as every operation finds them. */
  private static void prepare(Side side) {
    for (String bucket : new String[] {side.bucket(), side.source()}) {
      try {
        side.client().createBucket(create -> create.bucket(bucket)).join();
      } catch (CompletionException _) {
        // it is there
      }
      side.client()
          .putObject(put -> put.bucket(bucket).key(KEY), AsyncRequestBody.fromString("content"))
          .join();
    }
  }

  private static String answer(Side side, String operation) {
    try {
      SdkRequests.call(side.client(), operation, false, side.given()).join();
      return "200";
    } catch (CompletionException e) {
      if (e.getCause() instanceof software.amazon.awssdk.services.s3.model.S3Exception refused) {
        return refused.statusCode() + " " + refused.awsErrorDetails().errorCode();
      }
      return e.getCause().getClass().getSimpleName();
    }
  }
}
