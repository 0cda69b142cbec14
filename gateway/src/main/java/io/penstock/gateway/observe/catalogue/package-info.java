/**
 * What is made of the declared meters for others to read. In: Prometheus texts of a gateway. Out: a
 * Grafana dashboard, alert rules, a page of reference; all fail to be made when they name a metric
 * that is not declared. Called by the command line only, never while a gateway serves.
 */
@NullMarked
package io.penstock.gateway.observe.catalogue;

import org.jspecify.annotations.NullMarked;
