package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.pulsar.PulsarCalls.CALLS;
import static java.util.Objects.requireNonNullElse;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.pulsar.ClientConfig.PulsarLogin;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.Authentication;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.BatcherBuilder;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.PulsarClientException.TopicDoesNotExistException;
import org.apache.pulsar.client.api.SizeUnit;

/** Builds the clients of a run. */
final class PulsarClients {

    private static final int MAX_CONNECTION_TIMEOUT_MS = 10_000;

    /**
     * Disables the client's statistics, which it counts per message and logs every minute: all of that is measured
     * here anyway.
     */
    private static final Map<String, Object> WITHOUT_STATISTICS = Map.of("statsIntervalSeconds", 0);

    private PulsarClients() {}

    /** Creates the client for messages, connected to a broker that has answered. */
    static PulsarClient connect(PulsarConfig config, DriverContext context, Deadline deadline)
            throws DriverException, InterruptedException {
        ClientConfig where = config.client();
        String attempt = "reach Pulsar at " + String.join(",", ServiceAddresses.of(where.serviceUrl()));
        PulsarClient client = config.producer().transaction() == null
                ? plain(attempt, where, context.timeout())
                : transactional(attempt, where, context.timeout(), deadline);
        try {
            // Any topic works for this, even a missing one.
            String topic = where.topicType() + "://" + where.namespacePrefix() + "-" + context.runId() + "/any";
            CompletableFuture<List<String>> partitions = client.getPartitionsForTopic(topic, false);
            CALLS.await(attempt, deadline, PulsarCalls.unless(TopicDoesNotExistException.class, partitions));
            return client;
        } catch (Throwable e) {
            close(client);
            throw e;
        }
    }

    private static PulsarClient plain(String attempt, ClientConfig config, Duration timeout) throws DriverException {
        try {
            return messages(config, false, timeout);
        } catch (PulsarClientException | IllegalArgumentException e) {
            throw CALLS.refused(attempt, e);
        }
    }

    /**
     * Creates a client with transactions. Building it asks for the transaction coordinators and waits for the answer.
     */
    private static PulsarClient transactional(String attempt, ClientConfig config, Duration timeout, Deadline deadline)
            throws DriverException, InterruptedException {
        // A broker without a coordinator refuses in words that need not name transactions, such as a missing namespace.
        String with = attempt + " with transactions";
        return CALLS.run(with, deadline, () -> messages(config, true, timeout), PulsarClients::close, () -> {});
    }

    private static PulsarClient messages(ClientConfig config, boolean transactions, Duration timeout)
            throws PulsarClientException {
        int timeoutMs = Deadline.millis(timeout);
        return PulsarClient.builder()
                .loadConf(WITHOUT_STATISTICS)
                .serviceUrl(config.serviceUrl())
                .ioThreads(config.ioThreads())
                .connectionsPerBroker(config.connectionsPerBroker())
                .memoryLimit(config.clientMemoryLimitMB(), SizeUnit.MEGA_BYTES)
                .maxConcurrentLookupRequests(config.maxConcurrentLookupRequests())
                // No limit on waiting lookups, since the client would refuse any beyond it.
                .maxLookupRequests(Integer.MAX_VALUE)
                .connectionTimeout(Math.min(timeoutMs, MAX_CONNECTION_TIMEOUT_MS), TimeUnit.MILLISECONDS)
                .operationTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                .lookupTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                .allowTlsInsecureConnection(config.tlsAllowInsecureConnection())
                .enableTlsHostnameVerification(config.tlsEnableHostnameVerification())
                .tlsTrustCertsFilePath(config.tlsTrustCertsFilePath())
                .authentication(login(config))
                .enableTransaction(transactions)
                .build();
    }

    /**
     * Releases a client whose producers and consumers are closed. Returns before its threads have ended, which takes
     * two seconds.
     */
    // Nothing that fails from here on matters.
    @SuppressWarnings("FutureReturnValueIgnored")
    static void close(PulsarClient client) {
        client.closeAsync();
    }

    /** Creates the client for administration; it connects on first use. */
    static PulsarAdmin admin(ClientConfig config, Duration timeout) throws PulsarClientException {
        int timeoutMs = Deadline.millis(timeout);
        return PulsarAdmin.builder()
                .serviceHttpUrl(config.httpUrl())
                .connectionTimeout(Math.min(timeoutMs, MAX_CONNECTION_TIMEOUT_MS), TimeUnit.MILLISECONDS)
                .readTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                .requestTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                .allowTlsInsecureConnection(config.tlsAllowInsecureConnection())
                .enableTlsHostnameVerification(config.tlsEnableHostnameVerification())
                .tlsTrustCertsFilePath(config.tlsTrustCertsFilePath())
                .authentication(login(config))
                .build();
    }

    /** Returns the login; without a plugin, none. */
    private static Authentication login(ClientConfig config) throws PulsarClientException {
        PulsarLogin login = config.authentication();
        return AuthenticationFactory.create(login.plugin(), requireNonNullElse(login.data(), ""));
    }

    /** Returns a builder for a producer. */
    static ProducerBuilder<byte[]> producer(PulsarClient client, String topic, ProducerConfig config) {
        return client.newProducer()
                .topic(topic)
                .enableBatching(config.batchingEnabled())
                .batchingMaxPublishDelay(config.batchingMaxPublishDelayMs(), TimeUnit.MILLISECONDS)
                .batchingMaxBytes(config.batchingMaxBytes())
                .batchingMaxMessages(
                        config.batchingMaxMessages() == 0 ? Integer.MAX_VALUE : config.batchingMaxMessages())
                .batcherBuilder(
                        config.batcher() == ProducerConfig.Batcher.KEY_BASED
                                ? BatcherBuilder.KEY_BASED
                                : BatcherBuilder.DEFAULT)
                .blockIfQueueFull(config.blockIfQueueFull())
                .maxPendingMessages(config.pending())
                .sendTimeout(config.sendTimeoutMs(), TimeUnit.MILLISECONDS)
                .compressionType(config.compression())
                // The number of partitions does not change during a run.
                .autoUpdatePartitions(false);
    }

    /** Returns a builder for a consumer. */
    static ConsumerBuilder<byte[]> consumer(
            PulsarClient client, String topic, String subscription, ConsumerConfig config) {
        return client.newConsumer()
                .topic(topic)
                .subscriptionName(subscription)
                .subscriptionType(config.subscriptionType())
                .subscriptionInitialPosition(config.initialPosition())
                .receiverQueueSize(config.receiverQueueSize())
                // The queue size applies to each partition, with no limit over all of them.
                .maxTotalReceiverQueueSizeAcrossPartitions(Integer.MAX_VALUE)
                .acknowledgmentGroupTime(config.ackGroupTimeMs(), TimeUnit.MILLISECONDS)
                .autoUpdatePartitions(false);
    }
}
