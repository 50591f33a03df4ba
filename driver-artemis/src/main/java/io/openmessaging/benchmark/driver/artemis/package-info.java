/** Apache Artemis, by its core protocol. */
@NullMarked
package io.openmessaging.benchmark.driver.artemis;

import org.jspecify.annotations.NullMarked;
