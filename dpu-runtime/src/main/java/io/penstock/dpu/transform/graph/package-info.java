/**
 * ONNX files as graphs, pure. In: the bytes of a file. Out: a checked {@link
 * io.penstock.dpu.transform.graph.OnnxGraph}, the tensors at which it can be divided, and parts of
 * it as ONNX files again. Called by {@code onnx} and the command line. Reads protobuf itself,
 * strictly: what it does not know is never passed on. Never opens a file, follows a path, or runs
 * anything.
 */
@NullMarked
package io.penstock.dpu.transform.graph;

import org.jspecify.annotations.NullMarked;
