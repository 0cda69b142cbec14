/**
 * Typed configuration. In: one YAML file, the environment and secret files. Out: {@link
 * GatewayConfig}, a tree of records that has passed every check, or all problems at once. Called by
 * the mains of the other modules. Knows nothing of Vert.x, Netty or S3, and never reads a file
 * after {@code ConfigLoader} returned it (the watcher calls the loader again).
 */
@NullMarked
package io.penstock.config;

import org.jspecify.annotations.NullMarked;
