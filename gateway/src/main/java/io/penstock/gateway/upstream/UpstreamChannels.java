package io.penstock.gateway.upstream;

import io.penstock.config.UpstreamConfig;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.UriEncoding;
import io.penstock.gateway.sigv4.Credential;
import io.penstock.gateway.sigv4.SigV4Signer;
import io.penstock.gateway.upstream.wire.Endpoint;
import io.penstock.gateway.upstream.wire.ReceiveBound;
import io.penstock.gateway.upstream.wire.WirePool;
import io.penstock.gateway.upstream.wire.WireRequest;
import io.penstock.gateway.upstream.wire.WireTls;
import io.penstock.gateway.upstream.wire.WireTransport;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Optional;

/** Temporary. */
public final class UpstreamChannels {
  private UpstreamChannels() {}

  public static UpstreamChannel assemble(
      UpstreamConfig config,
      Vertx vertx,
      InstantSource clock,
      ReceiveBound bound,
      UpstreamObserver observer) {
    Endpoint endpoint = Endpoint.of(config.endpoints().getFirst());
    WirePool pool =
        new WirePool(
            WireTransport.of(vertx.getOrCreateContext(), bound),
            endpoint,
            endpoint.tls() ? Optional.of(WireTls.of(config.tls())) : Optional.empty(),
            config.pool(),
            observer);
    SigV4Signer signer =
        new SigV4Signer(
            () -> new Credential(config.accessKey(), config.secretKey(), config.sessionToken()),
            config.region(),
            clock);
    return r -> {
      String path =
          r.target().isService()
              ? "/"
              : "/"
                  + r.target().bucket()
                  + (r.target().isBucket() ? "" : "/" + UriEncoding.encodePath(r.target().key()));
      String query = r.target().query().encoded();
      HttpFields fields =
          signer.sign(r.method(), endpoint.authority(), path, query, r.fields(), r.payloadSha256());
      return pool.send(
          new WireRequest(
              r.method(),
              query.isEmpty() ? path : path + "?" + query,
              fields,
              r.body(),
              r.idempotent(),
              r.cancellation()));
    };
  }
}
