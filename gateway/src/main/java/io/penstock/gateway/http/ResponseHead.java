package io.penstock.gateway.http;

/** Status and fields of a response. */
public record ResponseHead(int status, HttpFields fields) {}
