/**
 * Many workers as one: {@link io.openmessaging.benchmark.worker.group.Group} asks all of them at once, gives each its share,
 * begins loads everywhere at the same moment, and adds up what they tell. It does not know how a worker is reached: that is
 * for a {@link io.openmessaging.benchmark.worker.group.Member} to know.
 */
package io.openmessaging.benchmark.worker.group;
