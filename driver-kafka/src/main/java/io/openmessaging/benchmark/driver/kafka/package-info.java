/**
 * Apache Kafka, and whatever else speaks its protocol, through {@code kafka-clients}.
 *
 * <p>{@link io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver} is the entry: it binds {@link
 * io.openmessaging.benchmark.driver.kafka.KafkaConfig} and opens a connection. The connection creates topics and waits
 * for their leaders, and creates consumers and waits for their groups; a producer and a consumer each own one Kafka
 * client, and the consumer also the one thread that is allowed to use it.
 */
@NullMarked
package io.openmessaging.benchmark.driver.kafka;

import org.jspecify.annotations.NullMarked;
