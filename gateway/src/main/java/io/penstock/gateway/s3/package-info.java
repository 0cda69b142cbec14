/**
 * What S3 says: targets, operations, ranges, errors and their XML, as values. In: a request head
 * whose signature has been verified. Out: a {@link io.penstock.gateway.s3.S3Request}, or an {@link
 * io.penstock.gateway.s3.S3Exception} that knows its reply. Pure: no sockets, no clock, no
 * configuration beyond constructor arguments.
 */
@NullMarked
package io.penstock.gateway.s3;

import org.jspecify.annotations.NullMarked;
