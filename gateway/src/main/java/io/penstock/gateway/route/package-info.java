/**
 * What happens to an admitted request. In: an {@link io.penstock.gateway.exchange.Exchange} with
 * every stage behind it. Out: a completed response, or a failed future that the pipeline answers. A
 * route never authenticates, never signs and never retries.
 */
@NullMarked
package io.penstock.gateway.route;

import org.jspecify.annotations.NullMarked;
