package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.DriverException;
import java.util.Map;
import java.util.logging.Logger;
import org.apache.rocketmq.client.apis.ClientConfiguration;
import org.apache.rocketmq.client.apis.ClientConfigurationBuilder;
import org.apache.rocketmq.client.apis.ClientException;
import org.apache.rocketmq.client.apis.ClientServiceProvider;
import org.apache.rocketmq.client.apis.StaticSessionCredentialsProvider;
import org.apache.rocketmq.client.apis.consumer.FilterExpression;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.producer.Producer;
import org.apache.rocketmq.client.java.impl.ClientServiceProviderImpl;

/** Makes gRPC clients as the configuration asks for them. Each has connections of its own. */
final class GrpcClients {

    /**
     * The client's library for gRPC complains on the console about calls that come back while a client is being shut down.
     * A field, or the logger would be forgotten, with its setting.
     */
    private static final Logger LIBRARY_LOG = Logger.getLogger("org.apache.rocketmq.shaded.io.grpc");

    static {
        LIBRARY_LOG.setUseParentHandlers(false);
    }

    private final RocketMqConfig config;
    private final ClientServiceProvider provider = new ClientServiceProviderImpl();
    private final ClientConfiguration clientConfiguration;

    GrpcClients(RocketMqConfig config) {
        this.config = config;
        ClientConfigurationBuilder builder = ClientConfiguration.newBuilder()
                .setEndpoints(String.join(";", config.proxies()))
                .setRequestTimeout(config.sendTimeout())
                .setMaxStartupAttempts(1)
                .enableSsl(false);
        if (config.accessKey() != null && config.secretKey() != null) {
            builder.setCredentialProvider(new StaticSessionCredentialsProvider(config.accessKey(), config.secretKey()));
        }
        this.clientConfiguration = builder.build();
    }

    ClientServiceProvider provider() {
        return provider;
    }

    /** A producer that knows the way to its topic. */
    Producer producer(String topic) throws DriverException {
        try {
            return provider.newProducerBuilder()
                    .setClientConfiguration(clientConfiguration)
                    .setMaxAttempts(1 + config.retryTimesWhenSendAsyncFailed())
                    .setTopics(topic)
                    .build();
        } catch (ClientException | RuntimeException e) {
            throw failed("a producer", topic, e);
        }
    }

    /** A consumer that is a member of its group. */
    SimpleConsumer consumer(String topic, String group) throws DriverException {
        try {
            return provider.newSimpleConsumerBuilder()
                    .setClientConfiguration(clientConfiguration)
                    .setConsumerGroup(group)
                    .setAwaitDuration(config.awaitDuration())
                    .setSubscriptionExpressions(Map.of(topic, FilterExpression.SUB_ALL))
                    .build();
        } catch (ClientException | RuntimeException e) {
            throw failed("a consumer", topic, e);
        }
    }

    private DriverException failed(String what, String topic, Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new DriverException(
                "Could not start " + what + " of the topic '" + topic + "' at RocketMQ's proxy " + config.proxyAddr()
                        + ": " + root.getMessage(),
                cause);
    }
}
