/** Streams and super streams over the stream protocol. */
@NullMarked
package io.openmessaging.benchmark.driver.rabbitmq.stream;

import org.jspecify.annotations.NullMarked;
