/**
 * Driver for Apache Kafka, and for other systems that speak its protocol, through {@code kafka-clients}.
 *
 * <p>{@link io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver} is the entry point: it binds {@link
 * io.openmessaging.benchmark.driver.kafka.KafkaConfig} and opens a connection. The connection creates topics and waits
 * for their leaders. It also creates producers and consumers, which are in {@link
 * io.openmessaging.benchmark.driver.kafka.clients}, and waits for the consumers' groups.
 */
package io.openmessaging.benchmark.driver.kafka;
