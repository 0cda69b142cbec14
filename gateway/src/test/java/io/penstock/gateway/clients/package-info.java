/**
 * Somebody else's clients as judges of the gateway. In: unchanged S3 clients (SDKs, command line
 * tools, a file system) and two real stores. Out: for each client and store, proof that what the
 * client did through the gateway is, byte for byte, what an independent reader finds in the store
 * itself. Called by failsafe only. Must never repair, retry or translate what a client does: a
 * judge that helps proves nothing.
 */
@NullMarked
package io.penstock.gateway.clients;

import org.jspecify.annotations.NullMarked;
