/**
 * A broker inside the process. It serves to measure the harness itself; with injected faults, it shows that the harness
 * detects errors.
 *
 * <p>A message goes from an {@code InMemoryProducer} through the {@code Gate} of its {@code Topic} into a chain of
 * {@code Outlet}s: one branch per subscription, then the consumer that owns the partition. The chain is rebuilt
 * whenever a consumer is added, removed, paused or resumed, so that unused features cost a message nothing.
 */
package io.openmessaging.benchmark.driver.inmemory;
