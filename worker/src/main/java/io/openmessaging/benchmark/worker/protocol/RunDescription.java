package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.load.Seed;
import java.time.Duration;
import java.util.List;

/**
 * What a worker has to know of a run.
 *
 * @param driver with which driver
 * @param topology all topics, producers and consumers of the run, this worker's and others'
 * @param messages what is sent
 * @param clients how producers and consumers behave
 * @param seed of the run's random choices
 * @param resourcePeriod how often a worker in a process of its own looks what that and its machine use; zero for never
 * @param placement which of the producers and consumers are this worker's
 */
public record RunDescription(
        DriverDescription driver,
        Topology topology,
        MessagePlan messages,
        ClientOptions clients,
        Seed seed,
        Duration resourcePeriod,
        Placement placement) {

    /** The same run for a worker with another share of it. */
    public RunDescription at(Placement other) {
        return new RunDescription(driver, topology, messages, clients, seed, resourcePeriod, other);
    }

    /** This worker's among the producers with which the number for each topic grows from one to another. */
    public List<Topology.Producer> producersHere(int from, int to) {
        return topology.producers(from, to).stream()
                .filter(producer -> workerOfProducer(producer.id()) == placement.worker())
                .toList();
    }

    /** This worker's among the consumers with which the number for each subscription grows from one to another. */
    public List<Topology.Consumer> consumersHere(int from, int to) {
        return topology.consumers(from, to).stream()
                .filter(consumer ->
                        placement.workerOfConsumer(topology.consumerOrdinal(consumer.id())) == placement.worker())
                .toList();
    }

    /** The worker that has a producer. */
    public int workerOfProducer(int id) {
        return placement.workerOfProducer(topology.producerOrdinal(id));
    }

    /** Unique, of letters and digits. */
    public String runId() {
        return topology.runId();
    }

    /** What stands in every full header, so that the run knows its own messages; never 0. */
    public int runTag() {
        return runId().hashCode() | 1;
    }
}
