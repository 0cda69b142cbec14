package io.penstock.gateway.batch;

import io.penstock.arrow.decode.TarIndex;

/**
 * Where the members of one version of an archive lie.
 *
 * @param etag of that version, as the store gave it
 */
record ArchiveIndex(String etag, TarIndex members) {}
