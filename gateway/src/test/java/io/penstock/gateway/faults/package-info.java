/**
 * What goes wrong between client, gateway and store, on real sockets: origins that die, stall, lie
 * or refuse; clients that leave, dawdle, lie or break HTTP. Every test looks at both ends: at what
 * the client can make of the answer, and at what the store was told. Requests are signed by the AWS
 * SDK's signer and sent as raw bytes, so that everything a real client hides is in the test's
 * hands. Each test ends by asking the gateway whether all memory, requests and connections were
 * given back.
 */
package io.penstock.gateway.faults;
