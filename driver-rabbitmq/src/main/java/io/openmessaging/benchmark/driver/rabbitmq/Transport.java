package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProducerSpec;
import java.util.List;

/** How messages travel: over AMQP to and from queues, or over the stream protocol. Used by the control thread. */
interface Transport extends AutoCloseable {

    /** One each, in order; all or none. */
    List<BenchmarkProducer> createProducers(List<ProducerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException;

    /** One each, in order, all of them attached; all or none. */
    List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs, Deadline deadline)
            throws DriverException, InterruptedException;

    /** Releases all connections. */
    @Override
    void close();
}
