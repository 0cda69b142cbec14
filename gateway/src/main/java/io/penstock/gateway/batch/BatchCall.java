package io.penstock.gateway.batch;

import io.penstock.arrow.wire.BatchRequest;
import io.penstock.gateway.batch.landing.Landing;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.tenant.Tenant;

/**
 * Who wants which batches, and where they go.
 *
 * @param name of this call, in leak reports
 * @param cancellation fires when the client has gone
 */
public record BatchCall(
    String name, Tenant tenant, BatchRequest request, Landing landing, Cancellation cancellation) {}
