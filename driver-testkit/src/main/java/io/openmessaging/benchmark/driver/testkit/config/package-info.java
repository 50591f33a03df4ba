/** Configurations of drivers for tests: the driver files that a module ships, the keys of its README, and records made of keys. */
@NullMarked
package io.openmessaging.benchmark.driver.testkit.config;

import org.jspecify.annotations.NullMarked;
