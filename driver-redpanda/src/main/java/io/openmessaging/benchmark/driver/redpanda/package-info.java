/**
 * Redpanda, by way of the Kafka driver: the same protocol, the same client, the same way of a message.
 *
 * <p>What is added is the question who answers. Everything that speaks Kafka's protocol would do for a run of this
 * driver; {@code RedpandaIdentity} decides, from what the protocol and Redpanda's Admin API say, what the result may call
 * it, and a run against anything else has a finding.
 */
package io.openmessaging.benchmark.driver.redpanda;
