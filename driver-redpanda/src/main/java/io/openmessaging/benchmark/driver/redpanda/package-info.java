/**
 * Redpanda, through the Kafka driver: the same protocol, the same client, the same path of a message.
 *
 * <p>This package adds the identification of the system. Anything that speaks Kafka's protocol would do for a run of
 * this driver; {@code RedpandaIdentity} decides, from Kafka's protocol and Redpanda's Admin API, what the result may
 * call the system, and a run against anything else has a finding.
 */
package io.openmessaging.benchmark.driver.redpanda;
