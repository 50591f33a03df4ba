/** The keys of a RabbitMQ driver file, what is wrong with them, and what the clients are to be given for them. */
@NullMarked
package io.openmessaging.benchmark.driver.rabbitmq.config;

import org.jspecify.annotations.NullMarked;
