package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.ProducerSpec;
import java.util.List;
import org.apache.activemq.artemis.api.core.SimpleString;

/** Creates the clients of one run, one after the other, on threads that see the driver's classes. */
interface ArtemisClients {

    /** Creates a producer; blocks until it can send. */
    BenchmarkProducer producer(ProducerSpec spec) throws Exception;

    /**
     * Creates a consumer; blocks until it receives.
     *
     * @param queues existing queues of the subscription, one for each partition
     */
    BenchmarkConsumer consumer(ConsumerSpec spec, List<SimpleString> queues) throws Exception;
}
