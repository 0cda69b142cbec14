/**
 * Who the clients are and what they may do. In: tenants as configured, and what an operation needs.
 * Out: the tenant of an access key, and a decision. Pure: called by the authentication and
 * authorisation stages, never looks at bytes of a request, never talks to the store.
 */
@NullMarked
package io.penstock.gateway.tenant;

import org.jspecify.annotations.NullMarked;
