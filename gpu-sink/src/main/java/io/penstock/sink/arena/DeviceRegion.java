package io.penstock.sink.arena;

/**
 * A region that the processor cannot touch: {@link #address} means something to the device only.
 */
public non-sealed interface DeviceRegion extends Region {}
