/**
 * What the starters of all brokers share: free ports, jars and packages fetched on first use, guarded processes, waiting
 * for readiness with a limit, and an end that leaves nothing behind.
 *
 * <p>A broker on the JVM is a module of its own with an implementation of {@link
 * io.openmessaging.benchmark.broker.LocalBroker} that takes, in this order, a {@link
 * io.openmessaging.benchmark.broker.launch.JarSet} from the {@link io.openmessaging.benchmark.broker.launch.JarCache},
 * {@link io.openmessaging.benchmark.broker.launch.LoopbackPorts}, and a {@link
 * io.openmessaging.benchmark.broker.launch.BrokerLaunch} on which it starts one {@link
 * io.openmessaging.benchmark.broker.launch.JvmNode} for each process.
 *
 * <p>A broker that is no Java program takes its program from this machine if {@link
 * io.openmessaging.benchmark.broker.launch.ProgramPath} finds it, else the {@link
 * io.openmessaging.benchmark.broker.launch.UnpackedPackages} of a {@link
 * io.openmessaging.benchmark.broker.launch.PackageSet} from the {@link
 * io.openmessaging.benchmark.broker.launch.PackageCache}, and starts a {@link
 * io.openmessaging.benchmark.broker.launch.NativeNode} for each process. A {@link
 * io.openmessaging.benchmark.broker.launch.NativeProgram} is asked for its version first, which shows whether it runs on
 * this machine at all. What such a broker would start for itself and leave behind, as Erlang does with its epmd, is
 * better started as a node.
 *
 * <p>If the options ask for it, each JVM node tells its heap and garbage collection to Prometheus; the {@link
 * io.openmessaging.benchmark.broker.launch.BrokerLaunch} sees to that. A broker that has an exporter of its own names it by
 * {@link io.openmessaging.benchmark.broker.launch.BrokerLaunch#exporter}.
 *
 * <p>Two things keep a killed harness from leaving a broker behind: each node watches a pipe that the system closes with
 * its starter, see {@link io.openmessaging.benchmark.broker.guard.NodeGuard} and {@link
 * io.openmessaging.benchmark.broker.launch.NativeNode}, and no shutdown hook is needed. There is none on purpose: it
 * would take the broker away from a run that, after Ctrl-C, still drains.
 */
@NullMarked
package io.openmessaging.benchmark.broker.launch;

import org.jspecify.annotations.NullMarked;
