package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProducerSpec;
import java.util.List;
import java.util.Map;

/** The part of a connection that depends on the protocol. Used by one thread. */
interface Clients {

    /** What topics have to be like, in the form in which RocketMQ takes it with the creation of a topic. */
    Map<String, String> topicAttributes();

    /** As {@link io.openmessaging.benchmark.driver.DriverConnection#createProducers}. */
    List<BenchmarkProducer> createProducers(List<ProducerSpec> producers, Deadline deadline)
            throws DriverException, InterruptedException;

    /** As {@link io.openmessaging.benchmark.driver.DriverConnection#createConsumers}. */
    List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> consumers, Deadline deadline)
            throws DriverException, InterruptedException;
}
