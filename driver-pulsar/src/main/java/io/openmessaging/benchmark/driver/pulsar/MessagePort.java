package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.pulsar.PulsarCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.PulsarClientException.TopicDoesNotExistException;

/** The way into Pulsar that messages take. */
final class MessagePort {

    private MessagePort() {}

    /** Connects, and sees that a broker answers. */
    static PulsarClient connect(ClientConfig config, DriverContext context, Deadline deadline)
            throws DriverException, InterruptedException {
        String attempt = "reach Pulsar at " + String.join(",", ServiceAddresses.of(config.serviceUrl()));
        PulsarClient client;
        try {
            client = PulsarClients.messages(config, context.timeout());
        } catch (PulsarClientException | IllegalArgumentException e) {
            throw CALLS.refused(attempt, e);
        }
        boolean answered = false;
        try {
            // Any topic will do, and one that is not there as well.
            String topic = config.topicType() + "://" + config.namespacePrefix() + "-" + context.runId() + "/any";
            CompletableFuture<List<String>> partitions = client.getPartitionsForTopic(topic, false);
            CALLS.await(attempt, deadline, PulsarCalls.unless(TopicDoesNotExistException.class, partitions));
            answered = true;
            return client;
        } finally {
            if (!answered) {
                close(client);
            }
        }
    }

    /**
     * Releases a client whose producers and consumers are closed. Returns before its threads have ended, for which the
     * client takes two seconds.
     */
    // Nothing of what might fail then would matter to anyone.
    @SuppressWarnings("FutureReturnValueIgnored")
    static void close(PulsarClient client) {
        client.closeAsync();
    }
}
