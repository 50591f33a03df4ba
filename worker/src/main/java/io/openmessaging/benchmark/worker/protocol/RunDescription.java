package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.load.Seed;
import java.time.Duration;
import java.util.List;

/**
 * Everything a worker needs to know about a run.
 *
 * @param driver driver to use
 * @param topology all topics, producers and consumers of the run, on this worker and others
 * @param messages messages to send
 * @param clients behaviour of producers and consumers
 * @param seed seed of the run's random choices
 * @param resourcePeriod interval at which a worker process reads the resource use of itself and its machine; zero for
 *     never
 * @param placement producers and consumers that belong to this worker
 */
public record RunDescription(
        DriverDescription driver,
        Topology topology,
        MessagePlan messages,
        ClientOptions clients,
        Seed seed,
        Duration resourcePeriod,
        Placement placement) {

    /** Returns the same run with another worker's placement. */
    public RunDescription at(Placement other) {
        return new RunDescription(driver, topology, messages, clients, seed, resourcePeriod, other);
    }

    /** Returns this worker's part of the producers that are added when the number per topic grows. */
    public List<Topology.Producer> producersHere(int from, int to) {
        return topology.producers(from, to).stream()
                .filter(producer -> workerOfProducer(producer.id()) == placement.worker())
                .toList();
    }

    /** Returns this worker's part of the consumers that are added when the number per subscription grows. */
    public List<Topology.Consumer> consumersHere(int from, int to) {
        return topology.consumers(from, to).stream()
                .filter(consumer ->
                        placement.workerOfConsumer(topology.consumerOrdinal(consumer.id())) == placement.worker())
                .toList();
    }

    /** Returns the index of the worker that has the producer. */
    public int workerOfProducer(int id) {
        return placement.workerOfProducer(topology.producerOrdinal(id));
    }

    /** A unique id of letters and digits. */
    public String runId() {
        return topology.runId();
    }

    /** A mark in every full header, by which the run recognizes its own messages; never 0. */
    public int runTag() {
        return runId().hashCode() | 1;
    }
}
