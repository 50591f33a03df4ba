package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.RocketMqCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ClientCreation;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProducerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;

/** Creates remoting producers and consumers. */
final class RemotingSide implements Clients {

    private final RocketMqConfig config;
    private final DriverContext context;
    private final Cluster cluster;
    private final ClientRelease release;
    private final RemotingClients clients;
    private final SendBudget budget;

    RemotingSide(RocketMqConfig config, DriverContext context, Cluster cluster, ClientRelease release) {
        this.config = config;
        this.context = context;
        this.cluster = cluster;
        this.release = release;
        this.clients = new RemotingClients(config, context);
        this.budget = new SendBudget(config.maxOutstandingMessages(), config.maxOutstandingBytes());
    }

    @Override
    public Map<String, String> topicAttributes() {
        return config.batchCQ() ? Map.of("+queue.type", "BatchCQ") : Map.of();
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException {
        Topics topics = new Topics(cluster, deadline);
        List<Callable<RemotingProducer>> tasks = new ArrayList<>();
        for (ProducerSpec spec : specs) {
            TopicQueues queues = topics.queues(spec.topic().name());
            tasks.add(() -> producer(spec, queues));
        }
        return List.copyOf(CALLS.<RemotingProducer>creation(
                        "producers", ClientCreation.SEVERAL, ClientCreation.each(RemotingProducer::abort))
                .all(tasks, deadline));
    }

    private RemotingProducer producer(ProducerSpec spec, TopicQueues queues) throws DriverException {
        String topic = spec.topic().name();
        DefaultMQProducer client = clients.producer(spec.id());
        try {
            client.start();
            findBrokers(client, topic);
        } catch (MQClientException e) {
            release.begin(client.getInstanceName(), () -> RemotingClients.shutdown(client));
            throw CALLS.refused("start a producer of the topic '" + topic + "'", e);
        }
        return new RemotingProducer(
                spec.id(), client, topic, queues, new SendsUnderWay(budget), context.timeout(), release);
    }

    /** Else the first message would wait for the way to its broker, and for the connection. */
    private static void findBrokers(DefaultMQProducer client, String topic) {
        MQClientInstance instance = RemotingClients.instanceOf(client);
        instance.updateTopicRouteInfoFromNameServer(topic);
        instance.sendHeartbeatToAllBrokerWithLock();
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException {
        Topics topics = new Topics(cluster, deadline);
        List<Callable<RemotingConsumer>> tasks = new ArrayList<>();
        for (ConsumerSpec spec : specs) {
            TopicQueues queues = topics.queues(spec.topic().name());
            String group = GroupNames.of(context.runId(), spec);
            topics.createGroup(group);
            tasks.add(() -> RemotingConsumer.start(clients.consumer(spec.id(), group), spec, queues, release));
        }
        List<RemotingConsumer> created = CALLS.<RemotingConsumer>creation(
                        "consumers", ClientCreation.SEVERAL, ClientCreation.each(RemotingConsumer::abort))
                .all(tasks, deadline);
        try {
            new GroupAttachment(cluster).await(created, deadline);
            return List.copyOf(created);
        } catch (DriverException | InterruptedException | RuntimeException e) {
            created.forEach(RemotingConsumer::abort);
            throw e;
        }
    }
}
