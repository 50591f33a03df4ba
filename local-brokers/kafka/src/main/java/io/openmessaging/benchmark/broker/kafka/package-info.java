/** Apache Kafka in KRaft mode as a local broker. */
@NullMarked
package io.openmessaging.benchmark.broker.kafka;

import org.jspecify.annotations.NullMarked;
