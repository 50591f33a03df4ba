package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.load.ThreadPosition;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which producers and consumers of a run a worker has. They are dealt out in the order in which they come while a run
 * grows (see {@link Topology#producerOrdinal} and {@link Topology#consumerOrdinal}), one to each worker in turn: so
 * workers have the same number give or take one, at every step of a growing run, and a worker's share follows from a few
 * numbers.
 *
 * @param worker the index of this worker
 * @param workers how many there are
 * @param producerWorkers how many of them, the first ones, may have producers
 * @param firstConsumerWorker the worker of the first consumer
 * @param consumerWorkers how many workers, from that one on and round about, may have consumers
 */
public record Placement(int worker, int workers, int producerWorkers, int firstConsumerWorker, int consumerWorkers) {

    /** The only worker, which has everything. */
    public static Placement alone() {
        return new Placement(0, 1, 1, 0, 1);
    }

    /**
     * Every worker has producers and consumers, as far as there are enough: where there are fewer producers than workers,
     * consumers begin with the workers that have none.
     *
     * @param workers at least one
     * @param producers how many producers the run has at most
     * @return a placement for each worker
     */
    public static List<Placement> mixed(int workers, int producers) {
        return ofEach(workers, workers, producers < workers ? producers : 0, workers);
    }

    /**
     * Some workers have producers and the others have consumers, as in OpenMessaging Benchmark. A single worker has both.
     *
     * @param workers at least one
     * @param moreConsumers whether a third of the workers has producers instead of half of them
     * @return a placement for each worker
     */
    public static List<Placement> split(int workers, boolean moreConsumers) {
        if (workers == 1) {
            return List.of(alone());
        }
        int producing = moreConsumers ? (workers + 2) / 3 : workers / 2;
        return ofEach(workers, producing, producing, workers - producing);
    }

    private static List<Placement> ofEach(int workers, int producing, int firstConsuming, int consuming) {
        return IntStream.range(0, workers)
                .mapToObj(worker -> new Placement(worker, workers, producing, firstConsuming, consuming))
                .toList();
    }

    /** The worker of the producer with an ordinal. */
    public int workerOfProducer(int ordinal) {
        return ordinal % producerWorkers;
    }

    /** The worker of the consumer with an ordinal. */
    public int workerOfConsumer(int ordinal) {
        return (firstConsumerWorker + ordinal % consumerWorkers) % workers;
    }

    /** How many workers have producers once there are so many of them: the first ones. */
    public int producingWorkers(int producers) {
        return Math.min(producers, producerWorkers);
    }

    /** How many of so many producers this worker has. */
    public int producersHere(int producers) {
        return producersBefore(worker + 1, producers) - producersBefore(worker, producers);
    }

    /** How many of so many consumers this worker has. */
    public int consumersHere(int consumers) {
        int place = Math.floorMod(worker - firstConsumerWorker, workers);
        return dealt(place + 1, consumerWorkers, consumers) - dealt(place, consumerWorkers, consumers);
    }

    /**
     * What this worker's producers send of a number of messages: whole numbers, which add up to all of them.
     *
     * @param messages of all workers; {@link Long#MAX_VALUE} for no limit
     * @param producers how many there are, of all workers
     */
    public long messagesHere(long messages, int producers) {
        return ThreadPosition.messagesOf(
                producersBefore(worker, producers), producersBefore(worker + 1, producers), messages, producers);
    }

    private int producersBefore(int workersBefore, int producers) {
        return dealt(workersBefore, producerWorkers, producers);
    }

    /** How many things the first of some hands get together, if so many things are dealt out to them in turn. */
    private static int dealt(int firstHands, int hands, int things) {
        int counted = Math.min(firstHands, hands);
        return things / hands * counted + Math.min(things % hands, counted);
    }
}
