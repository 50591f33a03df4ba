/**
 * What faults of a node's network and disk need from the kernel of this machine: a table of nftables, a relay, a file
 * system of its own, and what takes each of them back if this JVM cannot. Knows neither brokers nor the harness.
 *
 * <p>Nothing that was there before is changed: tables have a name of their own, relays listen on ports of their own, and a
 * file system is seen by the processes of its node only.
 */
package io.openmessaging.benchmark.faults;
