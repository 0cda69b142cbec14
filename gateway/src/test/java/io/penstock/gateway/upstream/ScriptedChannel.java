package io.penstock.gateway.upstream;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Answers with what was laid in, in order, and keeps what it was asked. */
final class ScriptedChannel implements UpstreamChannel {
  private final Queue<Future<UpstreamResponse>> answers = new ArrayDeque<>();
  private final List<UpstreamRequest> requests = new ArrayList<>();

  ScriptedChannel answers(int status, String... fields) {
    return answers(Requests.answer(status, "status " + status, fields));
  }

  ScriptedChannel answers(UpstreamResponse response) {
    answers.add(Future.succeededFuture(response));
    return this;
  }

  ScriptedChannel fails(Throwable cause) {
    answers.add(Future.failedFuture(cause));
    return this;
  }

  List<UpstreamRequest> requests() {
    return requests;
  }

  @Override
  public Future<UpstreamResponse> send(UpstreamRequest request) {
    requests.add(request);
    if (answers.isEmpty()) {
      throw new AssertionError("asked more often than expected");
    }
    return answers.remove();
  }

  @Override
  public String toString() {
    return "Scripted";
  }
}
