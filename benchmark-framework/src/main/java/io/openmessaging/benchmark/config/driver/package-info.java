/**
 * A driver file: which driver, its local broker, limits and exporters, and what is the driver's own.
 */
@NullMarked
package io.openmessaging.benchmark.config.driver;

import org.jspecify.annotations.NullMarked;
