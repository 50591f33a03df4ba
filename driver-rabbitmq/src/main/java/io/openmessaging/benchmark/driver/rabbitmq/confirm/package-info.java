/** Callbacks of messages that the broker has not answered yet, by the numbers that it answers with. */
@NullMarked
package io.openmessaging.benchmark.driver.rabbitmq.confirm;

import org.jspecify.annotations.NullMarked;
