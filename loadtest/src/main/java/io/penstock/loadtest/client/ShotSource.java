package io.penstock.loadtest.client;

import io.penstock.loadtest.plan.KeyChoice;
import io.penstock.loadtest.plan.Operation;
import io.penstock.loadtest.plan.Scenario;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Draws what to ask for next. Ranged reads are sequential per lane: each goes on where the lane's
 * last one ended, and a new object is drawn at the end of the old one.
 *
 * <p>Threading: one event loop.
 */
final class ShotSource implements Function<Lane, Shot> {
  private final Scenario scenario;
  private final RequestBook book;
  private final KeyChoice keys;
  private final SplittableRandom random;
  private final Map<Integer, Place> places = new HashMap<>();

  private record Place(long size, int n, long at) {}

  ShotSource(Scenario scenario, RequestBook book, long seed) {
    this.scenario = scenario;
    this.book = book;
    this.keys = new KeyChoice(scenario.objects().count(), scenario.objects().zipf());
    this.random = new SplittableRandom(seed);
  }

  @Override
  public Shot apply(Lane lane) {
    Operation operation =
        scenario.workload().choices().get(scenario.workload().nextIndex(random)).value();
    if (operation == Operation.RANGED) {
      return ranged(lane);
    }
    Place object = object();
    return new Shot(book.request(operation, object.size(), object.n()), 0, object.size(), 0);
  }

  private Place object() {
    var sizes = scenario.objects().sizes();
    long size = sizes.choices().get(sizes.nextIndex(random)).value();
    return new Place(size, keys.next(random), 0);
  }

  private Shot ranged(Lane lane) {
    Place last = places.get(lane.number());
    Place place = last == null || last.at() >= last.size() ? object() : last;
    long length = Math.min(scenario.objects().range(), place.size() - place.at());
    places.put(lane.number(), new Place(place.size(), place.n(), place.at() + length));
    Request request = book.request(Operation.RANGED, place.size(), place.n());
    return new Shot(request, place.at(), length, 0);
  }
}
