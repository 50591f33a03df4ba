package io.openmessaging.benchmark.driver.redpanda;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer of the Admin API.
 *
 * @param url the URL of the node that answered; empty if none has
 * @param brokers the brokers of the cluster; empty if no node answered as Redpanda does
 * @param settings other settings worth keeping with a result
 * @param refusals for each node, what it answered instead, or why it did not answer
 */
record AdminAnswer(String url, List<BrokerEntry> brokers, Map<String, String> settings, List<String> refusals) {

    /**
     * One broker.
     *
     * @param nodeId the node id, the same as in Kafka's protocol
     * @param cores the number of cores that it uses
     * @param version such as {@code v24.3.8 - b1dd9f54ab}, with the revision; empty if unknown
     */
    record BrokerEntry(int nodeId, int cores, Optional<String> version) {}

    boolean isOfRedpanda() {
        return !brokers.isEmpty();
    }
}
