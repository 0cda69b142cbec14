package io.penstock.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.penstock.loadtest.plan.Operation;
import io.penstock.loadtest.sign.SignedBody.Body;
import java.util.Map;

/**
 * One signed request, ready to be sent any number of times. {@code head} is its HTTP/1 head, the
 * empty line included (a Range, which nobody has to sign, goes before that line); {@code headers}
 * are the same for HTTP/2. {@code size} and {@code n} say which synthetic object it is about.
 *
 * <p>Ownership: all buffers are unreleasable.
 */
record Request(
    Operation operation,
    String method,
    String target,
    Map<String, String> headers,
    ByteBuf head,
    Body body,
    long size,
    int n) {}
