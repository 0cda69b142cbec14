package io.penstock.gateway.s3;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.protocol.MarshallLocation;
import software.amazon.awssdk.core.protocol.MarshallingType;
import software.amazon.awssdk.core.traits.ListTrait;
import software.amazon.awssdk.core.traits.RequiredTrait;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.SelectObjectContentResponseHandler;
import software.amazon.awssdk.utils.builder.SdkBuilder;

/**
 * The requests that the AWS SDK really makes: its own client builds, marshals and signs them, and
 * they are caught before they would be sent.
 */
final class SdkRequests implements AutoCloseable {
  private final S3AsyncClient client;

  SdkRequests(URI endpoint, boolean pathStyle) {
    this.client =
        S3AsyncClient.builder()
            .endpointOverride(endpoint)
            .forcePathStyle(pathStyle)
            .region(Region.US_EAST_1)
            .disableS3ExpressSessionAuth(true)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("AKID", "secret")))
            .overrideConfiguration(
                configuration ->
                    configuration
                        .addExecutionInterceptor(new Catch())
                        .retryStrategy(retries -> retries.maxAttempts(1)))
            .build();
  }

  S3AsyncClient client() {
    return client;
  }

  /** Every operation of the SDK's service model, by name. */
  static Map<String, Method> operations() {
    Map<String, Method> operations = new TreeMap<>();
    for (Method method : S3AsyncClient.class.getMethods()) {
      Class<?>[] parameters = method.getParameterTypes();
      if (parameters.length == 0
          || !software.amazon.awssdk.services.s3.model.S3Request.class.isAssignableFrom(
              parameters[0])) {
        continue;
      }
      String name = parameters[0].getSimpleName().replaceAll("Request$", "");
      boolean plain =
          method.getName().equals(name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1))
              && Stream.of(parameters).noneMatch(Path.class::equals);
      if (plain) {
        operations.put(name, method);
      }
    }
    return operations;
  }

  /** The request of one operation, with its required members only, or with all of them. */
  RequestHead of(String operation, boolean everything, Map<String, Object> given) {
    return catching(() -> call(client, operation, everything, given));
  }

  /** Makes the call of one operation. */
  static CompletableFuture<?> call(
      S3AsyncClient client, String operation, boolean everything, Map<String, Object> given) {
    Method method = operations().get(operation);
    SdkPojo request = filled(method.getParameterTypes()[0], everything, given);
    Object[] arguments =
        Stream.of(method.getParameterTypes())
            .map(type -> argument(type, request))
            .toArray(Object[]::new);
    try {
      return (CompletableFuture<?>) method.invoke(client, arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The head of the request that this call would send. */
  static RequestHead catching(Supplier<? extends CompletableFuture<?>> call) {
    try {
      call.get().join();
    } catch (CompletionException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof Caught caught) {
          return caught.head;
        }
      }
      throw e;
    }
    throw new IllegalStateException("the request was not caught");
  }

  private static Object argument(Class<?> type, SdkPojo request) {
    if (type.isInstance(request)) {
      return request;
    }
    if (type == AsyncRequestBody.class) {
      return AsyncRequestBody.fromString("body");
    }
    if (type == AsyncResponseTransformer.class) {
      return AsyncResponseTransformer.toBytes();
    }
    if (type == SelectObjectContentResponseHandler.class) {
      return SelectObjectContentResponseHandler.builder().subscriber(event -> {}).build();
    }
    throw new IllegalArgumentException("no argument of type " + type);
  }

  private static SdkPojo filled(Class<?> type, boolean everything, Map<String, Object> given) {
    try {
      SdkPojo builder = (SdkPojo) type.getMethod("builder").invoke(null);
      for (SdkField<?> field : builder.sdkFields()) {
        boolean needed =
            field.containsTrait(RequiredTrait.class)
                || field.location() == MarshallLocation.PATH
                || (everything
                    && (field.location() == MarshallLocation.QUERY_PARAM
                        || field.location() == MarshallLocation.HEADER));
        Object value = given.get(field.memberName());
        if (value == null && needed) {
          value = value(field).orElse(null);
        }
        if (value != null) {
          field.set(builder, value);
        }
      }
      return build(builder);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Optional<Object> value(SdkField<?> field) {
    MarshallingType<?> type = field.marshallingType();
    if ("CopySource".equals(field.memberName())) {
      return Optional.empty(); // made from SourceBucket and SourceKey
    }
    if (type == MarshallingType.STRING) {
      return Optional.of("value-1");
    } else if (type == MarshallingType.INTEGER) {
      return Optional.of(7);
    } else if (type == MarshallingType.LONG) {
      return Optional.of(7L);
    } else if (type == MarshallingType.BOOLEAN) {
      return Optional.of(true);
    } else if (type == MarshallingType.INSTANT) {
      return Optional.of(Instant.EPOCH);
    } else if (type == MarshallingType.LIST) {
      SdkField<?> member = field.getTrait(ListTrait.class).memberFieldInfo();
      return value(member).map(List::of);
    } else if (type == MarshallingType.SDK_POJO) {
      SdkPojo builder = field.constructor().get();
      for (SdkField<?> member : builder.sdkFields()) {
        if (member.containsTrait(RequiredTrait.class)) {
          value(member).ifPresent(value -> member.set(builder, value));
        }
      }
      return Optional.of(build(builder));
    }
    return Optional.empty();
  }

  private static SdkPojo build(SdkPojo builder) {
    return (SdkPojo) ((SdkBuilder<?, ?>) builder).build();
  }

  @Override
  public void close() {
    client.close();
  }

  static RequestHead head(SdkHttpRequest request) {
    HttpFields.Builder fields = HttpFields.builder();
    request.headers().forEach((name, values) -> values.forEach(value -> fields.add(name, value)));
    String query = request.encodedQueryParameters().map(q -> "?" + q).orElse("");
    // as every HTTP client does
    String path = request.encodedPath().isEmpty() ? "/" : request.encodedPath();
    return new RequestHead(request.method().name(), path + query, fields.build());
  }

  private static final class Catch implements ExecutionInterceptor {
    @Override
    public void beforeTransmission(
        Context.BeforeTransmission context, ExecutionAttributes attributes) {
      throw new Caught(head(context.httpRequest()));
    }
  }

  private static final class Caught extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient RequestHead head;

    Caught(RequestHead head) {
      super("caught", null, false, false);
      this.head = head;
    }
  }
}
