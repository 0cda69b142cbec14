/**
 * The machine under the gateway. In: the runtime section of the configuration. Out: a {@link
 * io.penstock.dpu.DpuRuntime} with everything that depends on where the process runs: the chosen
 * transport, the core plan, the memory budget, a Vert.x built on them, and a report of it all.
 * Called once by each main. Knows nothing of S3 or HTTP, and never reads configuration files.
 */
@NullMarked
package io.penstock.dpu;

import org.jspecify.annotations.NullMarked;
