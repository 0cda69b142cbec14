/**
 * The checksums of S3, computed over bytes as they pass. In: buffers, direct or not, never copied
 * as a whole. Out: the value as S3 writes it. Used by whoever checks a body; never decides what a
 * mismatch means.
 */
@NullMarked
package io.penstock.gateway.checksum;

import org.jspecify.annotations.NullMarked;
