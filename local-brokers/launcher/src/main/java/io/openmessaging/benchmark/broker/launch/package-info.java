/**
 * Parts that the starters of all brokers share: free ports, guarded processes, waiting for readiness with a limit, and
 * an end that leaves nothing behind.
 *
 * <p>Each broker is a module with an implementation of {@link io.openmessaging.benchmark.broker.LocalBroker}. In this
 * order, it gets its program or its jars from {@code fetch}, its ports from {@link
 * io.openmessaging.benchmark.broker.launch.LocalPorts}, and a {@link
 * io.openmessaging.benchmark.broker.launch.BrokerLaunch}, which writes its files and starts a {@link
 * io.openmessaging.benchmark.broker.launch.JvmNode} or a {@link io.openmessaging.benchmark.broker.launch.NativeNode}
 * for each process. A process that a broker would start itself and leave behind, such as Erlang's epmd, is better
 * started as a node.
 *
 * <p>If the options request it, each JVM node exports its heap and garbage collection to Prometheus; {@link
 * io.openmessaging.benchmark.broker.launch.BrokerLaunch} sets this up. A broker that has its own exporter names it by
 * {@link io.openmessaging.benchmark.broker.launch.BrokerLaunch#exporter}.
 *
 * <p>A killed harness leaves no broker behind: a shell watches each node and reads from a pipe, which the system closes
 * with the node's starter, see {@link io.openmessaging.benchmark.broker.launch.NativeNode}. There is deliberately no
 * shutdown hook: it would take the broker away from a run that, after Ctrl-C, still drains.
 */
package io.openmessaging.benchmark.broker.launch;
