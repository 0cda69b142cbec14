package io.penstock.loadtest.lab.consumer;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What one consumer shall read.
 *
 * @param endpoints connection i uses the one at i modulo their number
 * @param mode how
 * @param connections at the same time
 * @param size bytes of every object
 * @param items of one batch request, and of an epoch
 * @param batch items in one Arrow batch
 * @param first number of the first object: other runs read others, so that no cache knows them
 * @param warmup before it counts
 * @param window that counts
 */
public record ReadOrder(
    List<URI> endpoints,
    Mode mode,
    int connections,
    long size,
    int items,
    int batch,
    long first,
    Duration warmup,
    Duration window) {
  // Java's and the store's largest object number
  private static final long NUMBERS = Integer.MAX_VALUE;

  public ReadOrder {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty() || connections < 1 || size < 0 || items < 1 || batch < 1) {
      throw new IllegalArgumentException("an endpoint, and 1 or more of everything else");
    }
  }

  /** Single GETs, batches of named objects, or shares of an epoch. */
  public enum Mode {
    SINGLE,
    BATCH,
    EPOCH
  }

  URI endpoint(int connection) {
    return endpoints.get(connection % endpoints.size());
  }

  /** The n-th object's key. */
  String key(long n) {
    return size + "-" + (first + n) % NUMBERS;
  }

  /** The body of batch request number {@code request} of one connection. */
  String batchBody(int connection, long request) {
    long from = (request * connections + connection) * items;
    return "{\"version\":1,\"bucket\":\"bench\",\"batch-size\":%d,\"items\":[%s]}"
        .formatted(batch, keys(from));
  }

  /** The body of one rank's share of epoch {@code number}; every epoch has objects of its own. */
  String epochBody(int rank, long number) {
    return """
        {"version":1,"bucket":"bench","batch-size":%d,"items":[%s],\
        "epoch":{"seed":42,"number":%d,"rank":%d,"world-size":%d}}"""
        .formatted(batch, keys(number * items), number, rank, connections);
  }

  private String keys(long from) {
    return LongStream.range(from, from + items)
        .mapToObj(n -> '"' + key(n) + '"')
        .collect(Collectors.joining(","));
  }
}
