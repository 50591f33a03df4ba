/**
 * Combines many workers into one: {@link io.openmessaging.benchmark.worker.group.Group} sends requests to all of them
 * at once, gives each its share, starts loads everywhere at the same time, and adds up the answers. It does not know
 * how to reach a worker: that is the task of a {@link io.openmessaging.benchmark.worker.group.Member}.
 */
package io.openmessaging.benchmark.worker.group;
