package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.rocketmq.client.ClientRelease;
import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer;
import io.openmessaging.benchmark.driver.rocketmq.client.Tags;
import io.openmessaging.benchmark.driver.rocketmq.client.TopicQueues;
import java.util.Map;
import java.util.logging.Logger;
import org.apache.rocketmq.client.apis.ClientConfiguration;
import org.apache.rocketmq.client.apis.ClientConfigurationBuilder;
import org.apache.rocketmq.client.apis.ClientException;
import org.apache.rocketmq.client.apis.ClientServiceProvider;
import org.apache.rocketmq.client.apis.StaticSessionCredentialsProvider;
import org.apache.rocketmq.client.apis.consumer.FilterExpression;
import org.apache.rocketmq.client.apis.consumer.PushConsumerBuilder;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.producer.Producer;
import org.apache.rocketmq.client.java.impl.ClientServiceProviderImpl;
import org.apache.rocketmq.common.message.MessageQueue;

/** Producers and consumers over gRPC. Each has its own connections. */
final class GrpcConnection extends RocketMqConnection<RocketMqConnection.AbortableConsumer> {

    /**
     * The client's gRPC library logs warnings on the console about calls that return during the shutdown of a client.
     * A field keeps the logger, and with it its setting, from being garbage collected.
     */
    private static final Logger LIBRARY_LOG = Logger.getLogger("org.apache.rocketmq.shaded.io.grpc");

    /** The client allows about a second per attempt, which is not enough on a busy machine. */
    private static final int STARTUP_ATTEMPTS = 3;

    static {
        LIBRARY_LOG.setUseParentHandlers(false);
    }

    private final ClientServiceProvider provider = new ClientServiceProviderImpl();
    private final ClientConfiguration clientConfiguration;

    GrpcConnection(RocketMqConfig config, DriverContext context, Cluster cluster, ClientRelease release) {
        super(config, context, cluster, release);
        ClientConfigurationBuilder builder = ClientConfiguration.newBuilder()
                .setEndpoints(String.join(";", config.proxies()))
                .setRequestTimeout(config.sendTimeout())
                .setMaxStartupAttempts(STARTUP_ATTEMPTS)
                .enableSsl(config.tls() != null);
        if (config.accessKey() != null && config.secretKey() != null) {
            builder.setCredentialProvider(new StaticSessionCredentialsProvider(config.accessKey(), config.secretKey()));
        }
        this.clientConfiguration = builder.build();
    }

    @Override
    Map<String, String> topicAttributes() {
        // A proxy accepts messages with a group, by which it chooses their queue, only for FIFO topics.
        return Map.of("+message.type", config.messageType().name());
    }

    /** Creates a producer that has looked up the route of its topic. */
    @Override
    RocketMqProducer producer(ProducerSpec spec, TopicQueues queues) throws DriverException {
        String topic = spec.topic().name();
        try {
            Producer client = provider.newProducerBuilder()
                    .setClientConfiguration(clientConfiguration)
                    .setMaxAttempts(1 + config.retryTimesWhenSendAsyncFailed())
                    .setTopics(topic)
                    .build();
            GrpcSender sender = new GrpcSender(provider, client, spec, queues.count(), config);
            return producer(sender, context.runId() + "-producer-" + spec.id(), client);
        } catch (ClientException | RuntimeException e) {
            throw failed("a producer", topic, e);
        }
    }

    /** Sets the start positions now: a proxy would do so only on the first request for messages. */
    @Override
    void prepareGroup(String group, TopicQueues queues, Cluster.Begin begin, Deadline deadline)
            throws DriverException, InterruptedException {
        for (MessageQueue queue : queues.all()) {
            cluster.fixBegin(group, queue, begin, deadline);
        }
    }

    @Override
    AbortableConsumer consumer(ConsumerSpec spec, String group, TopicQueues queues) throws DriverException {
        String topic = spec.topic().name();
        Map<String, FilterExpression> subscription = Map.of(topic, new FilterExpression(Tags.any(config.tags())));
        GrpcDelivery delivery = new GrpcDelivery(spec, queues);
        try {
            if (config.pushConsumer()) {
                PushConsumerBuilder builder = provider.newPushConsumerBuilder()
                        .setClientConfiguration(clientConfiguration)
                        .setConsumerGroup(group)
                        .setSubscriptionExpressions(subscription);
                return GrpcPushConsumer.start(builder, delivery, release, delivery.clientName(context.runId()));
            }
            SimpleConsumer client = provider.newSimpleConsumerBuilder()
                    .setClientConfiguration(clientConfiguration)
                    .setConsumerGroup(group)
                    .setAwaitDuration(config.awaitDuration())
                    .setSubscriptionExpressions(subscription)
                    .build();
            return new GrpcConsumer(client, delivery, config.pullBatchSize(), context, release);
        } catch (ClientException | RuntimeException e) {
            throw failed("a consumer", topic, e);
        }
    }

    private DriverException failed(String what, String topic, Throwable cause) {
        return new DriverException(
                "Could not start " + what + " of the topic '" + topic + "' at RocketMQ's proxy " + config.proxyAddr()
                        + ": " + Calls.message(Calls.innermost(cause)),
                cause);
    }
}
