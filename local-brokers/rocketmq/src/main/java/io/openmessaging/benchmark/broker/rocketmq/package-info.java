/**
 * RocketMQ as a local broker: a name server and a broker that also serves gRPC, or three brokers with the same
 * messages. {@link io.openmessaging.benchmark.broker.rocketmq.BrokerNode}, {@code ProxyServer} and {@link
 * io.openmessaging.benchmark.broker.rocketmq.NoReplication} run in the broker's own JVM; the others run in the harness
 * and do not use RocketMQ's classes.
 */
package io.openmessaging.benchmark.broker.rocketmq;
