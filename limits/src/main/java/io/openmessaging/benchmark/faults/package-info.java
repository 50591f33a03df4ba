/**
 * Kernel mechanisms for faults of a node's network and disk on this machine: a table of nftables, a relay, a file
 * system of its own, and guards that undo each of them if this JVM cannot. Depends on neither brokers nor the harness.
 *
 * <p>Nothing that existed before is changed: tables have their own names, relays listen on their own ports, and a file
 * system is visible only to the processes of its node.
 */
package io.openmessaging.benchmark.faults;
