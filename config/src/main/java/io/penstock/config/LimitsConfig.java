package io.penstock.config;

import java.time.Duration;

/** Bounds on what a client may send and on what the gateway takes on at once. */
public record LimitsConfig(
    ByteSize maxRequestLine,
    ByteSize maxHeaders,
    ByteSize maxMetadata,
    ByteSize maxBody,
    // bodies that must be read whole: multi-delete, complete-multipart, sub-resource XML
    ByteSize maxXmlBody,
    int maxInFlight,
    // how long SIGTERM waits for requests in flight
    Duration drainTimeout) {}
