/**
 * The only door of ONNX Runtime. In: checked graphs. Out: their shapes, proof that they can be
 * divided, and sessions that compute on off-heap memory. Called by {@code store} and the command
 * line. Hands ONNX Runtime nothing but models that {@code graph} has written, from memory: never a
 * path.
 */
@NullMarked
package io.penstock.dpu.transform.onnx;

import org.jspecify.annotations.NullMarked;
