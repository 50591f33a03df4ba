package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import io.openmessaging.benchmark.driver.artemis.address.BrokerAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an Artemis driver file. Sizes are in bytes. Defaults are those of Artemis' client unless stated
 * otherwise.
 *
 * @param client the client that sends and receives
 * @param brokerAddress {@code tcp://host:port}, or several in parentheses, separated by commas; Artemis' own parameters
 *     may follow a question mark
 * @param routing how an address routes messages: {@code MULTICAST} to all of its queues, each of which is a
 *     subscription, or {@code ANYCAST} to its one queue, hence one subscription
 * @param durable true if messages and queues survive a restart of the broker
 * @param autoAck true if the broker counts a message as acknowledged when it sends it
 * @param ackBatchSize size of consumed messages that are acknowledged together; 0 to acknowledge each message
 * @param confirmationWindowSize size of messages after which the broker confirms that they need not be sent again. Any
 *     window turns on acknowledgements of single messages, -1 turns them off (the client's own default)
 * @param blockOnDurableSend true if a send waits until the broker has confirmed the message, so that one is in flight
 *     at a time (the client's own default)
 * @param producerWindowSize size of messages that a producer sends before the broker grants more
 * @param consumerWindowSize size of messages that the broker sends to a consumer ahead of its acknowledgements
 * @param minLargeMessageSize size from which a message is sent in parts and stored in a file of its own
 * @param keyCarrier property that carries keys
 * @param sharedConnection true if the producers of a worker share a connection, and its consumers another one; false if
 *     each has its own
 * @param user the user that logs in; null for none
 * @param password the password of the user
 * @param tls encryption; null for none
 * @param existingTopics addresses, or {@code address::queue}, that exist already and replace the run's own topics, in
 *     this order
 * @param transaction when a producer commits sent messages; null for no transactions
 */
public record ArtemisConfig(
        @Default("CORE") ClientKind client,
        @Default("tcp://localhost:61616") String brokerAddress,
        @Default("MULTICAST") RoutingType routing,
        @Default("true") boolean durable,
        boolean autoAck,
        @Default("1048576") @Range(from = "0") int ackBatchSize,
        @Default("1048576") int confirmationWindowSize,
        boolean blockOnDurableSend,
        @Default("65536") int producerWindowSize,
        @Default("1048576") int consumerWindowSize,
        @Default("102400") @Range(from = "1") int minLargeMessageSize,
        @Default("PROPERTY") KeyCarrier keyCarrier,
        boolean sharedConnection,
        @Nullable String user,
        @Nullable String password,
        @Nullable ArtemisTls tls,
        @Default("[]") List<String> existingTopics,
        @Nullable ArtemisTransaction transaction)
        implements Checked {

    /** Window value for no limit or no window. */
    private static final int NONE = -1;

    private static final int DEFAULT_WINDOW_BYTES = 1 << 20;
    private static final int DEFAULT_PRODUCER_WINDOW_BYTES = 1 << 16;
    private static final int DEFAULT_LARGE_MESSAGE_BYTES = 100 << 10;

    @Override
    public void check(Problems problems) {
        try {
            BrokerAddress.parse(brokerAddress);
        } catch (IllegalArgumentException e) {
            problems.add("brokerAddress", String.valueOf(e.getMessage()), brokerAddress);
        }
        if (tls != null) {
            problems.below("tls").readable("trustStorePath", tls.trustStorePath());
            problems.below("tls").readable("keyStorePath", tls.keyStorePath());
        }
        problems.names("existingTopics", existingTopics);
        checkWindow(problems, "confirmationWindowSize", confirmationWindowSize);
        checkWindow(problems, "producerWindowSize", producerWindowSize);
        checkWindow(problems, "consumerWindowSize", consumerWindowSize);
        if (client != ClientKind.CORE) {
            problems.require(
                    !sharedConnection,
                    "sharedConnection",
                    "must be false with client: " + client + ", which stops and starts a connection as a whole",
                    true);
        }
        if (client == ClientKind.AMQP) {
            onlyWithCore(problems, "confirmationWindowSize", confirmationWindowSize, DEFAULT_WINDOW_BYTES);
            onlyWithCore(problems, "producerWindowSize", producerWindowSize, DEFAULT_PRODUCER_WINDOW_BYTES);
            onlyWithCore(problems, "consumerWindowSize", consumerWindowSize, DEFAULT_WINDOW_BYTES);
            onlyWithCore(problems, "minLargeMessageSize", minLargeMessageSize, DEFAULT_LARGE_MESSAGE_BYTES);
        }
        if (transaction != null) {
            transaction.check(problems.below("transaction"));
            problems.require(client == ClientKind.CORE, "client", "must be CORE with a transaction", client);
            problems.require(
                    !blockOnDurableSend,
                    "blockOnDurableSend",
                    "must be false with a transaction: the driver awaits its commit",
                    true);
        }
        problems.require((user == null) == (password == null), "user", "must be set together with password", user);
    }

    private static void onlyWithCore(Problems problems, String key, int bytes, int usual) {
        problems.require(bytes == usual, key, "must be absent with client: AMQP, which has no equivalent", bytes);
    }

    private static void checkWindow(Problems problems, String key, int bytes) {
        problems.require(bytes == NONE || bytes >= 1, key, "must be at least 1, or -1 for none", bytes);
    }

    /** Returns whether the broker acknowledges single messages while more are being sent. */
    boolean acknowledgesAsynchronously() {
        return confirmationWindowSize != NONE && !blockOnDurableSend && transaction == null;
    }

    /** Clients for sending and receiving. Topics are always created over the core protocol. */
    public enum ClientKind {

        /** The core client, over the core protocol. */
        CORE,

        /** Artemis' JMS client, on top of the core client. */
        JMS,

        /** Qpid JMS, over AMQP 1.0. */
        AMQP
    }

    /** Property that carries a message's key. */
    public enum KeyCarrier {

        /** A property that the broker ignores. */
        PROPERTY(SimpleString.of("key"), "key"),

        /** In {@code _AMQ_GROUP_ID}: the broker gives all messages of a key to the same consumer of a queue. */
        GROUP_ID(Message.HDR_GROUP_ID, "JMSXGroupID");

        private final SimpleString property;
        private final String jmsProperty;

        KeyCarrier(SimpleString property, String jmsProperty) {
            this.property = property;
            this.jmsProperty = jmsProperty;
        }

        SimpleString property() {
            return property;
        }

        /** JMS's name of the property. */
        String jmsProperty() {
            return jmsProperty;
        }
    }

    /**
     * Encryption of the connections. The presence of the block, even if empty, turns it on.
     *
     * @param trustStorePath store of trusted certificates; null for those of the JDK
     * @param trustStorePassword password of that store
     * @param keyStorePath store with the client's own certificate; null for none
     * @param keyStorePassword password of that store
     * @param verifyHost true if the broker's certificate must name the host connected to
     */
    public record ArtemisTls(
            @Nullable String trustStorePath,
            @Nullable String trustStorePassword,
            @Nullable String keyStorePath,
            @Nullable String keyStorePassword,
            @Default("true") boolean verifyHost) {

        /** These settings as parameters of Artemis. */
        Map<String, Object> transportParameters() {
            Map<String, Object> parameters = new LinkedHashMap<>();
            parameters.put(TransportConstants.SSL_ENABLED_PROP_NAME, true);
            parameters.put(TransportConstants.VERIFY_HOST_PROP_NAME, verifyHost);
            put(parameters, TransportConstants.TRUSTSTORE_PATH_PROP_NAME, trustStorePath);
            put(parameters, TransportConstants.TRUSTSTORE_PASSWORD_PROP_NAME, trustStorePassword);
            put(parameters, TransportConstants.KEYSTORE_PATH_PROP_NAME, keyStorePath);
            put(parameters, TransportConstants.KEYSTORE_PASSWORD_PROP_NAME, keyStorePassword);
            return parameters;
        }

        /** These settings as options of Qpid. */
        Map<String, String> qpidOptions() {
            Map<String, String> options = new LinkedHashMap<>();
            options.put("verifyHost", Boolean.toString(verifyHost));
            put(options, "trustStoreLocation", trustStorePath);
            put(options, "trustStorePassword", trustStorePassword);
            put(options, "keyStoreLocation", keyStorePath);
            put(options, "keyStorePassword", keyStorePassword);
            return options;
        }

        private static void put(Map<String, ? super String> parameters, String name, @Nullable String value) {
            if (value != null) {
                parameters.put(name, value);
            }
        }
    }

    /**
     * When a producer commits sent messages.
     *
     * @param messages number of messages in a transaction
     * @param delay longest time between its first message and the commit
     */
    public record ArtemisTransaction(
            @Default("100") @Range(from = "1", to = "100_000")
            int messages,

            @Default("10ms") Duration delay) implements Checked {

        @Override
        public void check(Problems problems) {
            problems.require(delay.toMillis() >= 1, "delay", "must be at least 1ms", delay);
        }
    }
}
