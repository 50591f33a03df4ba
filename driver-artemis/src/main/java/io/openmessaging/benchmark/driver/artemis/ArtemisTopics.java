package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.artemis.ArtemisCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQAddressExistsException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQQueueExistsException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientSession;

/** Creates and deletes topics and queues; each partition is an address. The timeout applies to each call. */
record ArtemisTopics(
        ClientSession session, Management management, ArtemisConfig config, String runId, Duration timeout) {

    /** Never part of a topic's name, so that no other topic's address looks the same. */
    private static final char SEPARATOR = '.';

    /** Separates address and queue in a fully qualified name of Artemis. */
    static final String OF_ADDRESS = "::";

    /** The address of a partition: the topic's name itself if it has only one. */
    static SimpleString address(TopicSpec topic, int partition) {
        if (topic.existing()) {
            return whole(topic.name().split(OF_ADDRESS, 2)[0]);
        }
        return topic.partitions() == 1 ? whole(topic.name()) : part(topic.name(), partition);
    }

    /** The address of a topic with a single partition. */
    static SimpleString whole(String topic) {
        return SimpleString.of(topic);
    }

    /** The address of one of several partitions. */
    static SimpleString part(String topic, int partition) {
        return SimpleString.of(topic + SEPARATOR + partition);
    }

    /** The queue for a subscription's messages from an address. */
    static SimpleString queue(SimpleString address, String subscription) {
        return SimpleString.of(address.toString() + SEPARATOR + SEPARATOR + subscription);
    }

    /** Creates topics; leaves existing addresses as they are if the topic has the same form. */
    void create(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(timeout);
        for (TopicSpec topic : topics) {
            if (topic.existing()) {
                CALLS.run("use the existing topic " + described(topic), deadline, () -> requireThere(topic));
            } else {
                CALLS.run("create the topic " + described(topic), deadline, () -> create(topic));
            }
        }
    }

    private void requireThere(TopicSpec topic) throws ActiveMQException, DriverException {
        String missing = !exists(address(topic, 0))
                ? "there is no such address"
                : readsQueue(topic) && !session.queueQuery(queueOf(topic)).isExists() ? "there is no such queue" : null;
        String obstacle = topic.partitions() > 1 ? "an Artemis address has only one partition" : missing;
        if (obstacle != null) {
            throw new DriverException("Could not use the existing topic " + described(topic) + ": " + obstacle);
        }
    }

    /** Returns whether an existing topic is a queue, which consumers empty, not an address for subscriptions. */
    boolean readsQueue(TopicSpec topic) {
        return topic.existing() && (topic.name().contains(OF_ADDRESS) || config.routing() == RoutingType.ANYCAST);
    }

    /** The existing queues that {@code existingTopics} names and that lose their messages with the broker. */
    List<String> volatileQueues() throws DriverException, InterruptedException {
        return CALLS.ask("look up the existing queues", Deadline.in(timeout), () -> {
            List<String> found = new ArrayList<>();
            for (String name : config.existingTopics()) {
                TopicSpec topic = new TopicSpec(name, 1, true);
                if (readsQueue(topic)) {
                    ClientSession.QueueQuery queue = session.queueQuery(queueOf(topic));
                    // A missing queue is an error of its own, when topics are created.
                    if (queue.isExists() && !queue.isDurable()) {
                        found.add(queueOf(topic).toString());
                    }
                }
            }
            return found;
        });
    }

    private static SimpleString queueOf(TopicSpec topic) {
        return SimpleString.of(topic.name().substring(topic.name().lastIndexOf(':') + 1));
    }

    private String subscriptionOf(TopicSpec topic, String subscription) {
        return topic.existing() ? runId + "-" + subscription : subscription;
    }

    private void create(TopicSpec topic) throws ActiveMQException, DriverException {
        List<SimpleString> existing = addressesOf(topic.name());
        if (!existing.isEmpty()) {
            checkForm(topic, existing);
            return;
        }
        for (int partition = 0; partition < topic.partitions(); partition++) {
            createAddress(address(topic, partition));
        }
    }

    private void createAddress(SimpleString address) throws ActiveMQException {
        try {
            session.createAddress(address, config.routing(), false);
        } catch (ActiveMQAddressExistsException e) {
            // Another worker created it a moment ago.
        }
    }

    private void checkForm(TopicSpec topic, List<SimpleString> existing) throws ActiveMQException, DriverException {
        if (existing.size() != topic.partitions()) {
            throw new DriverException("Could not create the topic " + described(topic)
                    + ": one of that name already exists, with " + existing.size()
                    + (existing.size() == 1 ? " partition" : " partitions"));
        }
        ClientSession.AddressQuery found = session.addressQuery(existing.get(0));
        boolean multicast = config.routing() == RoutingType.MULTICAST;
        if (!(multicast ? found.isSupportsMulticast() : found.isSupportsAnycast())) {
            throw new DriverException("Could not create the topic " + described(topic)
                    + ": one of that name already exists, and its routing is not " + config.routing());
        }
    }

    private static String described(TopicSpec topic) {
        return "'" + topic.name() + "' (partitions " + topic.partitions() + ")";
    }

    /** All existing addresses of a topic, whatever its number of partitions. */
    private List<SimpleString> addressesOf(String topic) throws ActiveMQException {
        List<SimpleString> addresses = new ArrayList<>();
        for (int partition = 0; exists(part(topic, partition)); partition++) {
            addresses.add(part(topic, partition));
        }
        if (exists(whole(topic))) {
            addresses.add(whole(topic));
        }
        return addresses;
    }

    private boolean exists(SimpleString address) throws ActiveMQException {
        return session.addressQuery(address).isExists();
    }

    /** Deletes topics with their queues and messages; a missing topic is no error. */
    void delete(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(timeout);
        for (TopicSpec topic : topics) {
            CALLS.run("delete the topic '" + topic.name() + "'", deadline, () -> {
                if (topic.existing()) {
                    deleteQueues(address(topic, 0));
                    return;
                }
                for (SimpleString address : addressesOf(topic.name())) {
                    management.deleteAddress(address, deadline);
                }
            });
        }
    }

    private void deleteQueues(SimpleString address) throws ActiveMQException {
        for (SimpleString queue : session.addressQuery(address).getQueueNames()) {
            if (queue.toString().startsWith(queue(address, runId + "-").toString())) {
                session.deleteQueue(queue);
            }
        }
    }

    /** The queues of a subscription, one for each partition; creates missing ones. */
    List<SimpleString> queues(TopicSpec topic, String subscription) throws ActiveMQException, DriverException {
        if (readsQueue(topic)) {
            return List.of(queueOf(topic));
        }
        List<SimpleString> queues = new ArrayList<>();
        for (int partition = 0; partition < topic.partitions(); partition++) {
            SimpleString address = address(topic, partition);
            SimpleString queue = queue(address, subscriptionOf(topic, subscription));
            if (config.routing() == RoutingType.ANYCAST) {
                checkOnlySubscription(address, queue);
            }
            createQueue(address, queue);
            queues.add(queue);
        }
        return queues;
    }

    private void checkOnlySubscription(SimpleString address, SimpleString queue)
            throws ActiveMQException, DriverException {
        for (SimpleString other : session.addressQuery(address).getQueueNames()) {
            if (!other.equals(queue)) {
                throw new DriverException("Could not create the queue '" + queue + "': the address '" + address
                        + "' has the queue '" + other
                        + "' already, and with routing ANYCAST each message goes to one queue only;"
                        + " several subscriptions need MULTICAST");
            }
        }
    }

    private void createQueue(SimpleString address, SimpleString queue) throws ActiveMQException {
        try {
            session.createQueue(QueueConfiguration.of(queue)
                    .setAddress(address)
                    .setRoutingType(config.routing())
                    .setDurable(config.durable())
                    .setAutoDelete(false));
        } catch (ActiveMQQueueExistsException e) {
            // Another consumer of the subscription created it.
        }
    }
}
