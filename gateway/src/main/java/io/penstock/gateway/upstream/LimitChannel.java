package io.penstock.gateway.upstream;

import io.vertx.core.Future;

/**
 * Sends each try to one endpoint, within that endpoint's limits on connections and waiting calls,
 * and tells the {@link EndpointPicker} what became of it. Counts tries for the observer.
 *
 * <p>Threading: confined to one event loop.
 */
final class LimitChannel implements UpstreamChannel {
  private final EndpointPicker picker;
  private final BucketHomes homes;
  private final Timeline timeline;
  private final UpstreamObserver observer;

  LimitChannel(
      EndpointPicker picker, BucketHomes homes, Timeline timeline, UpstreamObserver observer) {
    this.picker = picker;
    this.homes = homes;
    this.timeline = timeline;
    this.observer = observer;
  }

  @Override
  public Future<UpstreamResponse> send(UpstreamRequest request) {
    EndpointPicker.Member member = picker.pick(homes.of(request.target().bucket()).endpoint());
    long begun = timeline.nanoTime();
    observer.started(request.operation());
    return member
        .channel()
        .send(request)
        .onComplete(
            result -> {
              long nanos = timeline.nanoTime() - begun;
              if (result.succeeded()) {
                answered(member, request, result.result().head().status(), nanos);
              } else {
                failed(member, request, result.cause(), nanos);
              }
            });
  }

  private void answered(
      EndpointPicker.Member member, UpstreamRequest request, int status, long nanos) {
    observer.answered(request.operation(), status, nanos);
    if (status >= 500 && status != 501) {
      picker.failed(member, false);
    } else {
      picker.succeeded(member);
    }
  }

  private void failed(
      EndpointPicker.Member member, UpstreamRequest request, Throwable cause, long nanos) {
    if (!(cause instanceof UpstreamFailure failure)) {
      picker.gaveUp(member);
      return;
    }
    observer.failed(request.operation(), failure, nanos);
    switch (failure) {
      case UpstreamFailure.Unreachable _ -> picker.failed(member, true);
      case UpstreamFailure.Broken _, UpstreamFailure.TimedOut _ -> picker.failed(member, false);
      case UpstreamFailure.Overloaded _,
          UpstreamFailure.Cancelled _,
          UpstreamFailure.BodyFailed _ ->
          picker.gaveUp(member);
    }
  }

  @Override
  public String toString() {
    return "Limit(" + picker + ")";
  }
}
