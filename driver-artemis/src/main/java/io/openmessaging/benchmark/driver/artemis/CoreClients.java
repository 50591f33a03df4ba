package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ArtemisTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientProducer;

/** Creates clients that use the core client. */
record CoreClients(ArtemisConnections connections, ArtemisConfig config, DriverContext context)
        implements ArtemisClients {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    @Override
    public BenchmarkProducer producer(ProducerSpec spec) throws Exception {
        ClientLink link = connections.forProducer();
        try {
            List<ClientProducer> partitions = new ArrayList<>();
            for (int partition = 0; partition < spec.topic().partitions(); partition++) {
                SimpleString address = ArtemisTopics.address(spec.topic(), partition);
                partitions.add(link.session().createProducer(address));
            }
            if (config.acknowledgesAsynchronously()) {
                link.session().setSendAcknowledgementHandler(ArtemisBenchmarkProducer.ANSWERS);
            }
            BenchmarkProducer producer =
                    new ArtemisBenchmarkProducer(link::close, partitions, spec, config, context.timeout());
            ArtemisTransaction transaction = config.transaction();
            return transaction == null
                    ? producer
                    : new TransactedProducer(producer, link.session(), transaction, context.timeout());
        } catch (Throwable e) {
            link.close(CLOSE_LIMIT);
            throw e;
        }
    }

    @Override
    public BenchmarkConsumer consumer(ConsumerSpec spec, List<SimpleString> queues) throws Exception {
        ClientLink link = connections.forConsumer();
        try {
            ArtemisBenchmarkConsumer consumer = new ArtemisBenchmarkConsumer(link, spec, config, context);
            consumer.start(queues);
            return consumer;
        } catch (Throwable e) {
            link.close(CLOSE_LIMIT);
            throw e;
        }
    }
}
