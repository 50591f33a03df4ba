/** RabbitMQ, one node or a cluster, as a local broker. */
@NullMarked
package io.openmessaging.benchmark.broker.rabbitmq;

import org.jspecify.annotations.NullMarked;
