package io.openmessaging.benchmark.driver.redpanda;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the Admin API has said.
 *
 * @param url of the node that has answered; empty if none has
 * @param brokers of the cluster; empty if no node has answered as Redpanda does
 * @param settings what else is worth keeping with a result
 * @param refusals what each node has said instead, or why nothing
 */
record AdminAnswer(String url, List<BrokerEntry> brokers, Map<String, String> settings, List<String> refusals) {

    /**
     * One broker.
     *
     * @param nodeId the same number as in Kafka's protocol
     * @param cores how many it uses
     * @param version such as {@code v24.3.8 - b1dd9f54ab}, with the revision; empty where it is not known
     */
    record BrokerEntry(int nodeId, int cores, Optional<String> version) {}

    boolean isOfRedpanda() {
        return !brokers.isEmpty();
    }
}
