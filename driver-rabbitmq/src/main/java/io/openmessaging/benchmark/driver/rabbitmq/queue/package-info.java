/** Classic and quorum queues over AMQP. */
@NullMarked
package io.openmessaging.benchmark.driver.rabbitmq.queue;

import org.jspecify.annotations.NullMarked;
