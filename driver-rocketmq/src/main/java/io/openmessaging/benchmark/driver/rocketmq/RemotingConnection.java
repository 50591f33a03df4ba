package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.rocketmq.client.ClientRelease;
import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer;
import io.openmessaging.benchmark.driver.rocketmq.client.Tags;
import io.openmessaging.benchmark.driver.rocketmq.client.TopicQueues;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.body.Connection;
import org.apache.rocketmq.remoting.protocol.body.ConsumerConnection;
import org.jspecify.annotations.Nullable;

/** Producers and consumers over the remoting protocol. */
final class RemotingConnection extends RocketMqConnection<RemotingConsumer> {

    private final RemotingClients clients;

    RemotingConnection(RocketMqConfig config, DriverContext context, Cluster cluster, ClientRelease release) {
        super(config, context, cluster, release);
        this.clients = new RemotingClients(config, context.runId(), release);
    }

    @Override
    Map<String, String> topicAttributes() {
        return config.batchCQ() ? Map.of("+queue.type", "BatchCQ") : Map.of();
    }

    @Override
    RocketMqProducer producer(ProducerSpec spec, TopicQueues queues) throws DriverException {
        RemotingMessages messages = new RemotingMessages(spec, config.tags());
        if (config.transactions() != null) {
            TransactionMQProducer client = clients.transactional(spec);
            TransactionSender sender = new TransactionSender(client, messages, config.transactions());
            return producer(sender, client.getInstanceName(), () -> RemotingClients.shutDown(client, sender::close));
        }
        DefaultMQProducer client = clients.producer(spec);
        RemotingSender sender = new RemotingSender(spec.id(), client, messages, queues);
        return clients.shareProducers()
                ? producer(sender, () -> {})
                : producer(sender, client.getInstanceName(), () -> RemotingClients.shutDown(client, client::shutdown));
    }

    @Override
    RemotingConsumer consumer(ConsumerSpec spec, String group, TopicQueues queues) throws DriverException {
        return RemotingConsumer.start(clients.consumer(spec, group), spec, Tags.any(config.tags()), queues, release);
    }

    /** Waits until all consumers are attached, taking into account members of their groups on other workers. */
    @Override
    void awaitAttached(List<RemotingConsumer> consumers, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<String, List<RemotingConsumer>> groups =
                consumers.stream().collect(Collectors.groupingBy(RemotingConsumer::group));
        for (Map.Entry<String, List<RemotingConsumer>> group : groups.entrySet()) {
            List<RemotingConsumer> ours = group.getValue();
            TopicQueues queues = ours.get(0).queues();
            deadline.await(
                    PAUSE_BETWEEN_LOOKS,
                    () -> areAttached(ours, group.getKey(), queues, deadline),
                    () -> "the consumers of the group '" + group.getKey() + "' to be attached: "
                            + ours.stream().mapToInt(RemotingConsumer::assigned).sum() + " of " + queues.count()
                            + " queues are assigned to them");
        }
    }

    private boolean areAttached(List<RemotingConsumer> consumers, String group, TopicQueues queues, Deadline deadline)
            throws DriverException, InterruptedException {
        boolean attached = true;
        for (MessageQueue oneOfBroker : queues.oneOfEachBroker()) {
            ConsumerConnection known =
                    cluster.group(group, oneOfBroker, deadline).orElseGet(ConsumerConnection::new);
            List<String> members = known.getConnectionSet().stream()
                    .map(Connection::getClientId)
                    .sorted()
                    .toList();
            // Checks all of them, so that each one that must be hurried is hurried now.
            for (RemotingConsumer consumer : consumers) {
                attached &= consumer.isAttached(members, known, deadline);
            }
        }
        return attached;
    }

    @Override
    public void close() throws DriverException {
        clients.close();
        super.close();
    }

    /** Sends over the remoting protocol. The client reads a payload again later, on its own thread. */
    private static final class RemotingSender implements RocketMqProducer.Sender {

        private final DefaultMQProducer client;
        private final RemotingMessages messages;
        private final List<MessageQueue> queues;
        private final Partitions partitions;

        /**
         * Creates a sender for a client that must be started before the first message.
         *
         * @param id ID of the producer
         */
        RemotingSender(int id, DefaultMQProducer client, RemotingMessages messages, TopicQueues queues) {
            this.client = client;
            this.messages = messages;
            this.queues = queues.all();
            this.partitions = new Partitions(queues.count(), id);
        }

        @Override
        public void send(@Nullable String key, byte[] payload, RocketMqProducer.Send send) throws Exception {
            client.send(messages.next(key, payload), queues.get(partitions.of(key)), send);
        }
    }
}
