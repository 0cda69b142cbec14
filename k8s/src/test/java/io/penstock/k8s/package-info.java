/**
 * Judges of the chart. In: the chart's folder and values a user might write. Out: rendered
 * manifests, held against the Kubernetes API's schemas, the gateway's own configuration reader,
 * Prometheus' tools and what the documentation promises. No cluster is asked.
 */
@NullMarked
package io.penstock.k8s;

import org.jspecify.annotations.NullMarked;
