/**
 * Driver for RabbitMQ: classic and quorum queues through {@code amqp-client}, streams and super streams through {@code
 * stream-client}.
 *
 * <p>{@link io.openmessaging.benchmark.driver.rabbitmq.RabbitMqBenchmarkDriver} is the entry point: it binds {@link
 * io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig} and opens a connection. A connection declares
 * exchanges, queues and streams over AMQP; its producers and consumers use connections of their own, over AMQP for
 * queues and over the stream protocol for streams.
 */
package io.openmessaging.benchmark.driver.rabbitmq;
