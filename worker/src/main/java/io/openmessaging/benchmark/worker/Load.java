package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.KeyDistributor;
import io.openmessaging.benchmark.load.LoadedProducer;
import io.openmessaging.benchmark.load.Pacer;
import io.openmessaging.benchmark.load.Payloads;
import io.openmessaging.benchmark.load.ProducerLoop;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Schedule;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.load.ThreadPosition;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The sending threads of one {@link io.openmessaging.benchmark.worker.protocol.Worker#start}: a thread per processor,
 * each with a share of the producers.
 */
public final class Load {

    private static final String THREAD_PREFIX = "producer-";

    /** Lead time of a load that starts as soon as possible, for its threads to be ready. */
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * If the threads' copies of all payloads would take more than this part of the heap, each message gets a new
     * array.
     */
    private static final int HEAP_PER_COPIES = 4;

    /** The random choices of a thread; each has its own part of the load's seed. */
    private enum Choice {
        ARRIVALS,
        KEYS,
        PAYLOADS
    }

    private final List<ProducerLoop> loops = new ArrayList<>();

    /** Each thread's share of the rate. */
    private final List<Double> shares = new ArrayList<>();

    private final int producerCount;
    private final LongSupplier clock;
    private final SendGrace grace;
    private final long startNs;

    /**
     * Creates a load without starting it.
     *
     * @param grace time for which a send may stay blocked after sending should have ended
     */
    Load(
            LoadPlan plan,
            List<LoadedProducer> producers,
            boolean freshPayloads,
            Measurements measurements,
            LongSupplier clock,
            SendGrace grace,
            Consumer<Throwable> onFailure) {
        this.producerCount = producers.size();
        this.clock = clock;
        this.grace = grace;
        int threads = threads(producerCount, Runtime.getRuntime().availableProcessors());
        List<ThreadPosition> positions = IntStream.range(0, threads)
                .mapToObj(thread -> new ThreadPosition(plan.worker(), plan.workers(), thread, threads))
                .toList();
        boolean fresh = freshPayloads
                || Payloads.copiedBytes(plan.payloads()) * threads
                        > Runtime.getRuntime().maxMemory() / HEAP_PER_COPIES;
        List<Payloads> payloads = new ArrayList<>();
        List<KeyDistributor> keys = new ArrayList<>();
        for (ThreadPosition position : positions) {
            List<LoadedProducer> ofThread =
                    producers.subList(position.first(producerCount), position.end(producerCount));
            payloads.add(Payloads.of(plan.payloads(), fresh, ofThread.size(), seed(plan, Choice.PAYLOADS, position)));
            keys.add(keys(plan, position, ofThread));
        }
        // Read this late so that the time spent above is no debt of a schedule that starts as soon as possible.
        startNs = plan.load().atNs() == 0
                ? clock.getAsLong() + LEAD_NS
                : plan.load().atNs();
        for (ThreadPosition position : positions) {
            int first = position.first(producerCount);
            int end = position.end(producerCount);
            double share = (double) (end - first) / producerCount;
            loops.add(new ProducerLoop(
                    THREAD_PREFIX + position.thread(),
                    new ProducerLoop.Work(
                            producers.subList(first, end),
                            Schedule.of(
                                    plan.arrivals(),
                                    startNs,
                                    plan.load().rates(),
                                    share,
                                    position,
                                    part(plan, Choice.ARRIVALS)),
                            ThreadPosition.messagesOf(first, end, plan.load().messageCount(), producerCount),
                            payloads.get(position.thread()),
                            keys.get(position.thread())),
                    measurements.newPublisher(),
                    clock,
                    new Pacer(),
                    onFailure));
            shares.add(share);
        }
    }

    /** Returns the number of threads that send for a number of producers: one each, but no more than processors. */
    public static int threads(int producers, int processors) {
        return Math.min(producers, processors);
    }

    /** Returns whether the thread with this name sends messages. */
    public static boolean isSendingThread(String threadName) {
        return threadName.startsWith(THREAD_PREFIX);
    }

    private static KeyDistributor keys(LoadPlan plan, ThreadPosition position, List<LoadedProducer> producers) {
        return switch (plan.keys()) {
            case NO_KEY -> KeyDistributor.none();
            case KEY_ROUND_ROBIN ->
                KeyDistributor.roundRobin(producers.stream()
                        .mapToInt(producer -> producer.audit().producer())
                        .toArray());
            case RANDOM_NANO -> KeyDistributor.random(seed(plan, Choice.KEYS, position));
            case ZIPF -> KeyDistributor.zipf(seed(plan, Choice.KEYS, position));
        };
    }

    private static Seed part(LoadPlan plan, Choice choice) {
        return plan.seed().part(choice.ordinal());
    }

    private static long seed(LoadPlan plan, Choice choice, ThreadPosition position) {
        return position.seed(part(plan, choice)).value();
    }

    /** Starts the threads; returns the start of their schedule, epoch nanoseconds. */
    long start() {
        loops.forEach(loop -> loop.startAt(startNs));
        return startNs;
    }

    /**
     * Changes the rates.
     *
     * @param atNs time from which they apply, epoch nanoseconds; 0 for now
     */
    void changeRate(long atNs, RateProfile rates) {
        long fromNs = atNs == 0 ? clock.getAsLong() : atNs;
        for (int i = 0; i < loops.size(); i++) {
            loops.get(i).changeRate(fromNs, rates.times(shares.get(i)));
        }
    }

    /** Start of the first of its threads, see {@link ProducerLoop#beganNs()}; empty if nothing was sent. */
    OptionalLong beganNs() {
        return loops.stream()
                .map(ProducerLoop::beganNs)
                .flatMapToLong(OptionalLong::stream)
                .min();
    }

    boolean finished() {
        return loops.stream().allMatch(ProducerLoop::ended);
    }

    void stop() throws DriverException, InterruptedException {
        loops.forEach(ProducerLoop::stop);
        if (allEnd(grace.untold())) {
            return;
        }
        grace.waits()
                .accept("a send blocks after the end of sending; it is interrupted after %d s and abandoned %d s later"
                        .formatted(
                                grace.beforeInterrupt().toSeconds(),
                                grace.afterInterrupt().toSeconds()));
        if (!allEnd(grace.beforeInterrupt().minus(grace.untold()))) {
            loops.forEach(ProducerLoop::interrupt);
            if (!allEnd(grace.afterInterrupt())) {
                throw new DriverException(
                        "a send is still blocked %d s after the end of sending, although it was interrupted"
                                .formatted(grace.beforeInterrupt()
                                        .plus(grace.afterInterrupt())
                                        .toSeconds()));
            }
        }
    }

    private boolean allEnd(Duration limit) throws InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        boolean all = true;
        for (ProducerLoop loop : loops) {
            all &= loop.awaitEnd(TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime()));
        }
        return all;
    }

    /**
     * Everything that the sending threads of one load need to know.
     *
     * @param load start, rates and number of messages
     * @param arrivals distribution over time of the messages of a rate
     * @param payloads contents of messages, each sent equally often
     * @param keys choice of keys
     * @param seed seed of the random choices of all workers: the same seed gives the same load
     * @param worker position of this worker among those that send the load, from 0
     * @param workers number of workers that send the load
     */
    record LoadPlan(
            Worker.Start load,
            ArrivalProcess arrivals,
            List<byte[]> payloads,
            KeyDistribution keys,
            Seed seed,
            int worker,
            int workers) {}

    /**
     * Time for which a send may stay blocked after sending should have ended.
     *
     * @param beforeInterrupt time until the send is interrupted
     * @param afterInterrupt time that the send then has to react
     * @param waits receives a report of a send that blocks for longer than {@link #untold}, on the thread that ends the
     *     load
     */
    record SendGrace(Duration beforeInterrupt, Duration afterInterrupt, Consumer<String> waits) {

        private static final Duration MOST_UNTOLD = Duration.ofSeconds(1);

        /** The values for a real run. */
        static SendGrace standard(Consumer<String> waits) {
            return new SendGrace(Duration.ofSeconds(10), Duration.ofSeconds(5), waits);
        }

        /** Time for which a blocked send is not reported: short blocks are common. */
        Duration untold() {
            return beforeInterrupt.compareTo(MOST_UNTOLD) < 0 ? beforeInterrupt : MOST_UNTOLD;
        }
    }
}
