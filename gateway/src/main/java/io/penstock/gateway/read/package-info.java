/** Temporary. */
@org.jspecify.annotations.NullMarked
package io.penstock.gateway.read;
