/**
 * RocketMQ as a local broker: a name server and a broker that also speaks gRPC. {@link
 * io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker} and {@link
 * io.openmessaging.benchmark.broker.rocketmq.ServerPorts} run in the harness and know nothing of RocketMQ's classes; the
 * others run in the broker's own JVM.
 */
@NullMarked
package io.openmessaging.benchmark.broker.rocketmq;

import org.jspecify.annotations.NullMarked;
