/**
 * A messaging system that lives in the memory of a test, with its driver. It delivers at once and does wrong what a test
 * tells it to. Knows nothing of the harness but the driver SPI, so that it can be packed into a jar like any driver.
 */
@NullMarked
package io.openmessaging.benchmark.worker.fake;

import org.jspecify.annotations.NullMarked;
