/**
 * A broker inside the process. It measures the harness itself, and with faults on demand it shows that the harness
 * finds what went wrong.
 *
 * <p>A message goes from an {@code InMemoryProducer} through the {@code Gate} of
 * its {@code Topic} into a chain of {@code Outlet}s: one branch a subscription, then the consumer that owns the
 * partition. The chain is put together again whenever a consumer comes, goes, pauses or resumes, so that what is not in
 * use costs a message nothing.
 */
package io.openmessaging.benchmark.driver.inmemory;
