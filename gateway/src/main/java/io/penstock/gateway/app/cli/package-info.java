/**
 * The command line. In: arguments, the environment, signals. Out: exit codes, one line or one table
 * on stdout, one line on stderr for each failure. Called by the launcher only. Builds nothing
 * itself: a gateway comes from {@code GatewayAssembly}, a store from {@code embedded}, a
 * configuration from {@code config}; none of these may ever call back into this package.
 */
@NullMarked
package io.penstock.gateway.app.cli;

import org.jspecify.annotations.NullMarked;
