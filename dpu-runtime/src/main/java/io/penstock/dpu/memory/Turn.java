package io.penstock.dpu.memory;

import java.util.List;

/**
 * What a change of the books leads to, once the lock is given up.
 *
 * @param ready claims that were granted and whose owners are to be told
 * @param wantedOfCache bytes that claims at the head of their queues lack of the common total and
 *     have not yet asked the cache for; 0 or more
 */
record Turn(List<Waiter> ready, long wantedOfCache) {
  static final Turn NONE = new Turn(List.of(), 0);
}
