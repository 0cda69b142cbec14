/**
 * What tests of several packages share: a store that misbehaves on command, body streams and sinks
 * that can be steered, and the event loops of every transport this machine has. Nothing here
 * sleeps: tests say by gates and futures what they wait for.
 */
package io.penstock.gateway.testing;
