/**
 * What queues and streams have in common: AMQP connections that are replaced when they are lost, the control plane over
 * one of them, and how clients are created.
 */
@NullMarked
package io.openmessaging.benchmark.driver.rabbitmq.connection;

import org.jspecify.annotations.NullMarked;
