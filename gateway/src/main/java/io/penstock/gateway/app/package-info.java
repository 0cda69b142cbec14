/**
 * The gateway as a program. In: a checked configuration. Out: listening ports, and an orderly end.
 * {@link io.penstock.gateway.app.GatewayAssembly} builds every object once, in the order in which a
 * request meets them; read it first.
 */
@NullMarked
package io.penstock.gateway.app;

import org.jspecify.annotations.NullMarked;
