/** Addresses of brokers in Artemis' notation. */
@NullMarked
package io.openmessaging.benchmark.driver.artemis.address;

import org.jspecify.annotations.NullMarked;
