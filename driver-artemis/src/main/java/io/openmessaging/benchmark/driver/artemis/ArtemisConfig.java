package io.openmessaging.benchmark.driver.artemis;

import static java.util.Objects.requireNonNullElse;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an Artemis driver file. Sizes are bytes. Defaults are those of Artemis' client unless said otherwise.
 *
 * @param brokerAddress {@code tcp://host:port}, or several in parentheses with commas between; parameters of Artemis' own
 *     may follow a question mark
 * @param routing how an address passes messages on: {@code MULTICAST} to all of its queues, each of which is a
 *     subscription, or {@code ANYCAST} to its one queue, hence one subscription; {@code MULTICAST} unless set
 * @param durable whether messages and queues outlive the broker; true unless set
 * @param autoAck whether the broker counts a message as acknowledged when it sends it; false unless set
 * @param ackBatchSize how much is consumed before it is acknowledged; 0: each message for itself; 1 MiB unless set
 * @param confirmationWindowSize after how much the broker confirms that it needs nothing to be sent again. Any window
 *     turns acknowledgements of single messages on, -1 turns them off; 1 MiB unless set (the client's own default is -1)
 * @param blockOnDurableSend whether a send waits until the broker has confirmed the message, so that one is under way at
 *     a time; false unless set (the client's own default is true)
 * @param producerWindowSize how much a producer sends before the broker grants more; 64 KiB unless set
 * @param consumerWindowSize how much the broker sends to a consumer ahead of its acknowledgements; 1 MiB unless set
 * @param minLargeMessageSize from which size on a message is sent in parts and kept in a file of its own; 100 KiB unless
 *     set
 * @param keyCarrier where keys travel; {@code PROPERTY} unless set
 * @param sharedConnection whether the producers of a worker share a connection, and its consumers another one; false
 *     unless set: each has its own
 * @param user who logs in; null for nobody
 * @param password with which password
 * @param tls encryption; null for none
 */
public record ArtemisConfig(
        String brokerAddress,
        RoutingType routing,
        Boolean durable,
        Boolean autoAck,
        Integer ackBatchSize,
        Integer confirmationWindowSize,
        Boolean blockOnDurableSend,
        Integer producerWindowSize,
        Integer consumerWindowSize,
        Integer minLargeMessageSize,
        KeyCarrier keyCarrier,
        Boolean sharedConnection,
        @Nullable String user,
        @Nullable String password,
        @Nullable Tls tls)
        implements Checked {

    private static final int DEFAULT_CONFIRMATION_WINDOW_BYTES = 1024 * 1024;

    /** Of windows: no limit, or no window. */
    private static final int NONE = -1;

    /** Puts the defaults in place. */
    public ArtemisConfig {
        brokerAddress = requireNonNullElse(brokerAddress, "tcp://localhost:61616");
        routing = requireNonNullElse(routing, RoutingType.MULTICAST);
        durable = requireNonNullElse(durable, true);
        autoAck = requireNonNullElse(autoAck, false);
        ackBatchSize = requireNonNullElse(ackBatchSize, ActiveMQClient.DEFAULT_ACK_BATCH_SIZE);
        confirmationWindowSize = requireNonNullElse(confirmationWindowSize, DEFAULT_CONFIRMATION_WINDOW_BYTES);
        blockOnDurableSend = requireNonNullElse(blockOnDurableSend, false);
        producerWindowSize = requireNonNullElse(producerWindowSize, ActiveMQClient.DEFAULT_PRODUCER_WINDOW_SIZE);
        consumerWindowSize = requireNonNullElse(consumerWindowSize, ActiveMQClient.DEFAULT_CONSUMER_WINDOW_SIZE);
        minLargeMessageSize = requireNonNullElse(minLargeMessageSize, ActiveMQClient.DEFAULT_MIN_LARGE_MESSAGE_SIZE);
        keyCarrier = requireNonNullElse(keyCarrier, KeyCarrier.PROPERTY);
        sharedConnection = requireNonNullElse(sharedConnection, false);
    }

    @Override
    public void check(Problems problems) {
        try {
            BrokerAddress.parse(brokerAddress);
        } catch (IllegalArgumentException e) {
            problems.add(
                    "brokerAddress",
                    "must be tcp://host:port, or several of them in parentheses with commas between",
                    brokerAddress);
        }
        problems.atLeast(0, "ackBatchSize", ackBatchSize);
        checkWindow(problems, "confirmationWindowSize", confirmationWindowSize);
        checkWindow(problems, "producerWindowSize", producerWindowSize);
        checkWindow(problems, "consumerWindowSize", consumerWindowSize);
        problems.atLeast(1, "minLargeMessageSize", minLargeMessageSize);
        problems.require((user == null) == (password == null), "user", "needs a password, and a password a user", user);
    }

    private static void checkWindow(Problems problems, String key, int bytes) {
        problems.require(bytes == NONE || bytes >= 1, key, "must be at least 1, or -1 for none", bytes);
    }

    /** Whether the broker acknowledges single messages while further ones are sent. */
    boolean acknowledgesAsynchronously() {
        return confirmationWindowSize != NONE && !blockOnDurableSend;
    }
}
