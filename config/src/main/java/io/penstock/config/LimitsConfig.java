package io.penstock.config;

import java.time.Duration;

/** Bounds on what a client may send and on what the gateway takes on at once. */
public record LimitsConfig(
    @Key(
            doc =
                "Longest request line. The default has room for a 1,024-byte key that is"
                    + " percent-encoded, with a presigned query and a session token.",
            defaultValue = "32KiB",
            min = "1KiB",
            max = "1MiB")
        ByteSize maxRequestLine,
    @Key(
            doc = "All header lines of a request together.",
            defaultValue = "64KiB",
            min = "1KiB",
            max = "1MiB")
        ByteSize maxHeaders,
    @Key(
            doc =
                "All x-amz-meta-* names and values of a request together. S3 itself stops at 2 KiB;"
                    + " the default is larger because some stores take more, and the store's own"
                    + " answer is the better one.",
            defaultValue = "8KiB",
            max = "1MiB",
            reloadable = true)
        ByteSize maxMetadata,
    @Key(
            doc =
                "Largest object, or part, of one upload, counted without the framing of aws-chunked"
                    + " bodies. The default is what S3 allows in one request.",
            defaultValue = "5GiB",
            min = "1",
            max = "50TiB",
            reloadable = true)
        ByteSize maxBody,
    @Key(
            doc =
                "Largest body that must be read whole before it is understood: multi-delete,"
                    + " complete-multipart and the XML of sub-resources. 1,000 keys of 1,024 escaped"
                    + " bytes need about 6 MiB.",
            defaultValue = "8MiB",
            min = "1KiB",
            max = "64MiB",
            reloadable = true)
        ByteSize maxXmlBody,
    @Key(
            doc = "Requests worked on at the same time; one more is answered 503 SlowDown.",
            defaultValue = "4096",
            min = "1",
            max = "1000000",
            reloadable = true)
        int maxInFlight,
    @Key(
            doc = "How long SIGTERM waits for requests in flight before it cuts them.",
            defaultValue = "30s",
            min = "0s",
            max = "1h",
            reloadable = true)
        Duration drainTimeout) {}
