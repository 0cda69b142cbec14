/**
 * The second tier of the block cache: blocks in files of a local folder, which survive a restart.
 * In: whole blocks on their way into memory, and questions for blocks that memory does not have.
 * Out: blocks whose every byte was checked, or nothing. Called by {@code read.cache} only. Never
 * touches a file on an event loop, never hands out bytes of another version or from a damaged file,
 * never follows a link, never makes a read fail.
 */
@NullMarked
package io.penstock.gateway.read.cache.disk;

import org.jspecify.annotations.NullMarked;
