package io.openmessaging.benchmark.driver.pulsar;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminBuilder;
import org.apache.pulsar.client.api.BatcherBuilder;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SizeUnit;

/** What the clients of a run are built with. */
final class PulsarClients {

    private static final int MAX_CONNECTION_TIMEOUT_MS = 10_000;

    /** The client's default for all partitions of a consumer, in messages. */
    private static final int DEFAULT_TOTAL_RECEIVER_QUEUE_SIZE = 50_000;

    /** What the client would count for each message, and log each minute, is measured here anyway. */
    private static final Map<String, Object> WITHOUT_STATISTICS = Map.of("statsIntervalSeconds", 0);

    private PulsarClients() {}

    /** The client for messages; connects when it is first used. */
    static PulsarClient messages(ClientConfig config, Duration timeout) throws PulsarClientException {
        int timeoutMs = millis(timeout);
        ClientBuilder builder = PulsarClient.builder()
                .loadConf(WITHOUT_STATISTICS)
                .serviceUrl(config.serviceUrl())
                .ioThreads(config.ioThreads())
                .connectionsPerBroker(config.connectionsPerBroker())
                .memoryLimit(config.memoryLimitMb(), SizeUnit.MEGA_BYTES)
                .connectionTimeout(Math.min(timeoutMs, MAX_CONNECTION_TIMEOUT_MS), TimeUnit.MILLISECONDS)
                .operationTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                .lookupTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                .allowTlsInsecureConnection(config.tlsAllowInsecureConnection())
                .enableTlsHostnameVerification(config.tlsEnableHostnameVerification());
        if (config.tlsTrustCertsFilePath() != null) {
            builder.tlsTrustCertsFilePath(config.tlsTrustCertsFilePath());
        }
        Login login = config.authentication();
        if (login.plugin() != null) {
            builder.authentication(login.plugin(), data(login));
        }
        return builder.build();
    }

    /** The client for administration; connects when it is first used. */
    static PulsarAdmin admin(ClientConfig config, Duration timeout) throws PulsarClientException {
        int timeoutMs = millis(timeout);
        PulsarAdminBuilder builder = PulsarAdmin.builder()
                .serviceHttpUrl(config.httpUrl())
                .connectionTimeout(Math.min(timeoutMs, MAX_CONNECTION_TIMEOUT_MS), TimeUnit.MILLISECONDS)
                .readTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                .requestTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                .allowTlsInsecureConnection(config.tlsAllowInsecureConnection())
                .enableTlsHostnameVerification(config.tlsEnableHostnameVerification());
        if (config.tlsTrustCertsFilePath() != null) {
            builder.tlsTrustCertsFilePath(config.tlsTrustCertsFilePath());
        }
        Login login = config.authentication();
        if (login.plugin() != null) {
            builder.authentication(login.plugin(), data(login));
        }
        return builder.build();
    }

    private static String data(Login login) {
        return login.data() == null ? "" : login.data();
    }

    private static int millis(Duration timeout) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis()));
    }

    /** A producer to be created. */
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

    /** A consumer to be created. */
    static ConsumerBuilder<byte[]> consumer(
            PulsarClient client, String topic, String subscription, ConsumerConfig config) {
        return client.newConsumer()
                .topic(topic)
                .subscriptionName(subscription)
                .subscriptionType(config.subscriptionType())
                .subscriptionInitialPosition(config.initialPosition())
                .receiverQueueSize(config.receiverQueueSize())
                .maxTotalReceiverQueueSizeAcrossPartitions(
                        Math.max(config.receiverQueueSize(), DEFAULT_TOTAL_RECEIVER_QUEUE_SIZE))
                .acknowledgmentGroupTime(config.ackGroupTimeMs(), TimeUnit.MILLISECONDS)
                .autoUpdatePartitions(false);
    }
}
