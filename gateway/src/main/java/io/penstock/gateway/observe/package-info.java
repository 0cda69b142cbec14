/**
 * What operators see. In: finished exchanges and what the other packages count. Out: Prometheus
 * text and one log line for each request. Every meter is declared in {@link
 * io.penstock.gateway.observe.Meters}; nothing here changes what happens to a request.
 */
@NullMarked
package io.penstock.gateway.observe;

import org.jspecify.annotations.NullMarked;
