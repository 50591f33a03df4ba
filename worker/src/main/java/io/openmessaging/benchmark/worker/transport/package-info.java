/**
 * What coordinator and worker have to agree on before a run: the key that both have, the build, and what is said to claim a
 * worker, to keep it, and to give it back. What is said in a run is {@link io.openmessaging.benchmark.worker.protocol}.
 */
@NullMarked
package io.openmessaging.benchmark.worker.transport;

import org.jspecify.annotations.NullMarked;
