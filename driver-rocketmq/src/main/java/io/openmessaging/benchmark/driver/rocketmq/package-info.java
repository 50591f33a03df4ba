/**
 * The driver for Apache RocketMQ, over its own remoting protocol and over gRPC. {@link
 * io.openmessaging.benchmark.driver.rocketmq.RocketMQBenchmarkDriver} is where to begin reading.
 */
@NullMarked
package io.openmessaging.benchmark.driver.rocketmq;

import org.jspecify.annotations.NullMarked;
