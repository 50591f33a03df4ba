/**
 * What the starters of all brokers share: free ports, guarded processes, waiting for readiness with a limit, and an end
 * that leaves nothing behind.
 *
 * <p>A broker is a module of its own with an implementation of {@link io.openmessaging.benchmark.broker.LocalBroker} that
 * takes, in this order, its program or its jars from {@code fetch}, {@link
 * io.openmessaging.benchmark.broker.launch.LocalPorts}, and a {@link
 * io.openmessaging.benchmark.broker.launch.BrokerLaunch} on which it writes its files and starts a {@link
 * io.openmessaging.benchmark.broker.launch.JvmNode} or a {@link io.openmessaging.benchmark.broker.launch.NativeNode} for
 * each process. What a broker would start for itself and leave behind, as Erlang does with its epmd, is better started as
 * a node.
 *
 * <p>If the options ask for it, each JVM node tells its heap and garbage collection to Prometheus; the {@link
 * io.openmessaging.benchmark.broker.launch.BrokerLaunch} sees to that. A broker that has an exporter of its own names it by
 * {@link io.openmessaging.benchmark.broker.launch.BrokerLaunch#exporter}.
 *
 * <p>A killed harness leaves no broker behind, since each node is watched by a shell that reads from a pipe which the
 * system closes with the node's starter, see {@link io.openmessaging.benchmark.broker.launch.NativeNode}. No shutdown
 * hook is needed, and there is none on purpose: it would take the broker away from a run that, after Ctrl-C, still drains.
 */
package io.openmessaging.benchmark.broker.launch;
