package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.load.ThreadPosition;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Producers and consumers of a run that belong to one worker. They are assigned to the workers in turn, in the order
 * in which a growing run creates them (see {@link Topology#producerOrdinal} and {@link Topology#consumerOrdinal}).
 * Hence the workers' numbers differ by at most one at every step of a growing run, and a few numbers determine a
 * worker's share.
 *
 * @param worker index of this worker
 * @param workers number of workers
 * @param producerWorkers number of workers that may have producers: the first ones
 * @param firstConsumerWorker index of the worker that has the first consumer
 * @param consumerWorkers number of workers that may have consumers, counted from that one and continued with worker 0
 *     after the last
 */
public record Placement(int worker, int workers, int producerWorkers, int firstConsumerWorker, int consumerWorkers) {

    /** The placement of a single worker, which has everything. */
    public static Placement alone() {
        return new Placement(0, 1, 1, 0, 1);
    }

    /**
     * Gives producers and consumers to every worker, as far as there are enough: with fewer producers than workers,
     * the first consumers go to the workers without a producer.
     *
     * @param workers at least one
     * @param producers largest number of producers that the run has
     * @return a placement for each worker
     */
    public static List<Placement> mixed(int workers, int producers) {
        return ofEach(workers, workers, producers < workers ? producers : 0, workers);
    }

    /**
     * Gives producers to some workers and consumers to the others, like OpenMessaging Benchmark. A single worker has
     * both.
     *
     * @param workers at least one
     * @param moreConsumers true to give producers to a third of the workers instead of half
     * @return a placement for each worker
     */
    public static List<Placement> split(int workers, boolean moreConsumers) {
        if (workers == 1) {
            return List.of(alone());
        }
        int producing = moreConsumers ? (workers + 2) / 3 : workers / 2;
        return ofEach(workers, producing, producing, workers - producing);
    }

    /**
     * Gives a producer to each of the first workers and a consumer to each of the others. Without producers, or without
     * workers beyond those of the producers, all have what there is.
     *
     * @param workers number of producers and consumers of the run
     * @param producers largest number of producers that the run has
     * @return a placement for each worker
     */
    public static List<Placement> oneEach(int workers, int producers) {
        return producers == 0 || producers >= workers
                ? mixed(workers, producers)
                : ofEach(workers, producers, producers, workers - producers);
    }

    private static List<Placement> ofEach(int workers, int producing, int firstConsuming, int consuming) {
        return IntStream.range(0, workers)
                .mapToObj(worker -> new Placement(worker, workers, producing, firstConsuming, consuming))
                .toList();
    }

    /** Returns the index of the worker that has the producer with the given ordinal. */
    public int workerOfProducer(int ordinal) {
        return ordinal % producerWorkers;
    }

    /** Returns the index of the worker that has the consumer with the given ordinal. */
    public int workerOfConsumer(int ordinal) {
        return (firstConsumerWorker + ordinal % consumerWorkers) % workers;
    }

    /** Returns how many workers have producers if there are {@code producers} in total; these are the first workers. */
    public int producingWorkers(int producers) {
        return Math.min(producers, producerWorkers);
    }

    /** Returns how many of the run's producers this worker has. */
    public int producersHere(int producers) {
        return producersBefore(worker + 1, producers) - producersBefore(worker, producers);
    }

    /** Returns how many of the run's consumers this worker has. */
    public int consumersHere(int consumers) {
        int place = Math.floorMod(worker - firstConsumerWorker, workers);
        return dealt(place + 1, consumerWorkers, consumers) - dealt(place, consumerWorkers, consumers);
    }

    /**
     * Returns this worker's part of a number of messages; the parts of all workers are whole numbers that add up to
     * it.
     *
     * @param messages total of all workers; {@link Long#MAX_VALUE} for no limit
     * @param producers total of all workers
     */
    public long messagesHere(long messages, int producers) {
        return ThreadPosition.messagesOf(
                producersBefore(worker, producers), producersBefore(worker + 1, producers), messages, producers);
    }

    private int producersBefore(int workersBefore, int producers) {
        return dealt(workersBefore, producerWorkers, producers);
    }

    /** Returns how many things the first {@code firstHands} of all hands get if the things are dealt out in turn. */
    private static int dealt(int firstHands, int hands, int things) {
        int counted = Math.min(firstHands, hands);
        return things / hands * counted + Math.min(things % hands, counted);
    }
}
