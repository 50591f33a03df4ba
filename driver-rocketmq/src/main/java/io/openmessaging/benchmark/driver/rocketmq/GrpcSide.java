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
import org.apache.rocketmq.common.message.MessageQueue;

/** Creates gRPC producers and consumers. */
final class GrpcSide implements Clients {

    private final RocketMqConfig config;
    private final DriverContext context;
    private final Cluster cluster;
    private final ClientRelease release;
    private final GrpcClients clients;
    private final SendBudget budget;

    GrpcSide(RocketMqConfig config, DriverContext context, Cluster cluster, ClientRelease release) {
        this.config = config;
        this.context = context;
        this.cluster = cluster;
        this.release = release;
        this.clients = new GrpcClients(config);
        this.budget = new SendBudget(config.maxOutstandingMessages(), config.maxOutstandingBytes());
    }

    @Override
    public Map<String, String> topicAttributes() {
        // Else a proxy does not take messages that have a group, by which it chooses their queue.
        return Map.of("+message.type", "FIFO");
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException {
        Topics topics = new Topics(cluster, deadline);
        List<Callable<GrpcProducer>> tasks = new ArrayList<>();
        for (ProducerSpec spec : specs) {
            int partitions = topics.queues(spec.topic().name()).count();
            tasks.add(() -> producer(spec, partitions));
        }
        return List.copyOf(CALLS.<GrpcProducer>creation(
                        "producers", ClientCreation.SEVERAL, ClientCreation.each(GrpcProducer::abort))
                .all(tasks, deadline));
    }

    private GrpcProducer producer(ProducerSpec spec, int partitions) throws DriverException {
        String topic = spec.topic().name();
        return new GrpcProducer(
                context.runId() + "-producer-" + spec.id(),
                clients.provider(),
                clients.producer(topic),
                topic,
                partitions,
                new SendsUnderWay(budget),
                context.timeout(),
                release);
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException {
        Topics topics = new Topics(cluster, deadline);
        List<Callable<GrpcConsumer>> tasks = new ArrayList<>();
        for (ConsumerSpec spec : specs) {
            TopicQueues queues = topics.queues(spec.topic().name());
            String group = GroupNames.of(context.runId(), spec);
            if (topics.createGroup(group)) {
                for (MessageQueue queue : queues.all()) {
                    // A proxy would do so only when the first message is asked for.
                    cluster.beginAtEnd(group, queue, deadline);
                }
            }
            tasks.add(() -> consumer(spec, group, queues));
        }
        return List.copyOf(
                CALLS.<GrpcConsumer>creation("consumers", ClientCreation.SEVERAL, ClientCreation.each(this::discard))
                        .all(tasks, deadline));
    }

    private GrpcConsumer consumer(ConsumerSpec spec, String group, TopicQueues queues) throws DriverException {
        return GrpcConsumer.start(
                context.runId() + "-consumer-" + spec.id(),
                clients.consumer(spec.topic().name(), group),
                spec,
                queues,
                config.pullBatchSize(),
                context,
                release);
    }

    private void discard(GrpcConsumer consumer) {
        try {
            consumer.close();
        } catch (DriverException e) {
            context.events().clientError("consumer close", e);
        }
    }
}
