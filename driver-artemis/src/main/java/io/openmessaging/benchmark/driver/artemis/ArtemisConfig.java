package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import io.openmessaging.benchmark.driver.artemis.address.BrokerAddress;
import java.util.List;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an Artemis driver file. Sizes are bytes. Defaults are those of Artemis' client unless said otherwise.
 *
 * @param client by what clients send and receive
 * @param brokerAddress {@code tcp://host:port}, or several in parentheses with commas between; parameters of Artemis' own
 *     may follow a question mark
 * @param routing how an address passes messages on: {@code MULTICAST} to all of its queues, each of which is a
 *     subscription, or {@code ANYCAST} to its one queue, hence one subscription
 * @param durable whether messages and queues outlive the broker
 * @param autoAck whether the broker counts a message as acknowledged when it sends it
 * @param ackBatchSize how much is consumed before it is acknowledged; 0: each message for itself
 * @param confirmationWindowSize after how much the broker confirms that it needs nothing to be sent again. Any window
 *     turns acknowledgements of single messages on, -1 turns them off (the client's own default)
 * @param blockOnDurableSend whether a send waits until the broker has confirmed the message, so that one is under way at
 *     a time (the client's own default)
 * @param producerWindowSize how much a producer sends before the broker grants more
 * @param consumerWindowSize how much the broker sends to a consumer ahead of its acknowledgements
 * @param minLargeMessageSize from which size on a message is sent in parts and kept in a file of its own
 * @param keyCarrier where keys travel
 * @param sharedConnection whether the producers of a worker share a connection, and its consumers another one;
 *     otherwise each has its own
 * @param user who logs in; null for nobody
 * @param password with which password
 * @param tls encryption; null for none
 * @param existingTopics addresses, or {@code address::queue}, that are there already and take the places of the run's own
 *     topics, in this order
 * @param transaction when a producer commits what it has sent; null for no transactions
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

    /** Of windows: no limit, or no window. */
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
                    "must be false with a transaction, whose commit is waited for",
                    true);
        }
        problems.require((user == null) == (password == null), "user", "needs a password, and a password a user", user);
    }

    private static void onlyWithCore(Problems problems, String key, int bytes, int usual) {
        problems.require(bytes == usual, key, "must be absent with client: AMQP, which has no equivalent", bytes);
    }

    private static void checkWindow(Problems problems, String key, int bytes) {
        problems.require(bytes == NONE || bytes >= 1, key, "must be at least 1, or -1 for none", bytes);
    }

    /** Whether the broker acknowledges single messages while further ones are sent. */
    boolean acknowledgesAsynchronously() {
        return confirmationWindowSize != NONE && !blockOnDurableSend && transaction == null;
    }
}
