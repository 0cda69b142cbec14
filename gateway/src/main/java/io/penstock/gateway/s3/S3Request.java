package io.penstock.gateway.s3;

/**
 * A parsed request.
 *
 * @param target its query holds what goes to the store: without signature parameters, and without
 *     {@code x-amz-*} parameters, which {@link ForwardedFields} turns into fields
 */
public record S3Request(S3Operation operation, S3Target target) {}
