/**
 * Limits on what processes may use, by whatever means this machine offers: control groups (cgroup v2 or v1), else the
 * processors that they may run on and the heap of a JVM. Knows neither brokers nor the harness.
 */
@NullMarked
package io.openmessaging.benchmark.limits;

import org.jspecify.annotations.NullMarked;
