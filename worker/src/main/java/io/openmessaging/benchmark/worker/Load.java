package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.KeyDistributor;
import io.openmessaging.benchmark.load.LoadedProducer;
import io.openmessaging.benchmark.load.Payloads;
import io.openmessaging.benchmark.load.ProducerLoop;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Schedule;
import io.openmessaging.benchmark.measure.Measurements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The sending threads of one {@link io.openmessaging.benchmark.worker.protocol.Worker#start}: a thread for each processor, with a share of the producers. */
public final class Load {

    private static final double NS_PER_SECOND = 1e9;
    private static final String THREAD_PREFIX = "producer-";

    /** What a thread chooses at random; each has a part of the load's seed. */
    private enum Choice {
        ARRIVALS,
        KEYS,
        PAYLOADS
    }

    private final List<ProducerLoop> loops = new ArrayList<>();
    private final List<Integer> producersOf = new ArrayList<>();
    private final int producerCount;
    private final LongSupplier clock;
    private final Duration grace;
    private final long startNs;

    /**
     * A load that is not on yet.
     *
     * @param grace how long a send may go on blocking once sending is to end, before it is interrupted; it then has half
     *     of that to notice
     */
    Load(
            LoadPlan plan,
            List<LoadedProducer> producers,
            boolean freshPayloads,
            Measurements measurements,
            LongSupplier clock,
            Duration grace,
            Consumer<Throwable> onFailure) {
        this.producerCount = producers.size();
        this.clock = clock;
        this.grace = grace;
        int threads = threads(producerCount, Runtime.getRuntime().availableProcessors());
        List<Payloads> payloads = new ArrayList<>();
        List<KeyDistributor> keys = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int ofThread = firstProducer(thread + 1, threads) - firstProducer(thread, threads);
            payloads.add(Payloads.of(plan.payloads(), freshPayloads, ofThread, seed(plan, Choice.PAYLOADS, thread)));
            keys.add(keys(plan, thread, ofThread));
        }
        // Only now: what took time until here is not a debt of a schedule that begins as soon as possible.
        startNs = plan.atNs() == 0 ? clock.getAsLong() : plan.atNs();
        long quotaGiven = 0;
        int first = 0;
        for (int thread = 0; thread < threads; thread++) {
            int end = firstProducer(thread + 1, threads);
            long quotaEnd = share(plan.messageCount(), end);
            List<LoadedProducer> ofThread = producers.subList(first, end);
            loops.add(new ProducerLoop(
                    THREAD_PREFIX + thread,
                    ofThread,
                    schedule(plan, thread, startNs, end - first),
                    plan.messageCount() == Long.MAX_VALUE ? Long.MAX_VALUE : quotaEnd - quotaGiven,
                    payloads.get(thread),
                    keys.get(thread),
                    measurements.newPublisher(),
                    clock,
                    onFailure));
            producersOf.add(end - first);
            quotaGiven = quotaEnd;
            first = end;
        }
    }

    /** How many threads send for a number of producers: as many, but no more than processors. */
    public static int threads(int producers, int processors) {
        return Math.min(producers, processors);
    }

    /** Whether a thread of that name sends messages. */
    public static boolean isSendingThread(String threadName) {
        return threadName.startsWith(THREAD_PREFIX);
    }

    /** The first producer of a thread; behind the last thread, how many there are. */
    private int firstProducer(int thread, int threads) {
        return (int) ((long) producerCount * thread / threads);
    }

    private Schedule schedule(LoadPlan plan, int thread, long startNs, int producers) {
        RateProfile rates = share(plan.rates(), producers);
        return switch (plan.arrivals()) {
            case CONSTANT ->
                Schedule.even(startNs + offsetNs(thread, plan.rates().firstMsgPerSec()), rates);
            case POISSON -> Schedule.poisson(startNs, rates, seed(plan, Choice.ARRIVALS, thread));
        };
    }

    private RateProfile share(RateProfile rates, int producers) {
        return rates.times((double) producers / producerCount);
    }

    private long share(long messages, int producers) {
        // Whole numbers: the shares have to add up to exactly the messages asked for.
        return messages / producerCount * producers + messages % producerCount * producers / producerCount;
    }

    /** Threads begin one after the other, so that their messages do not come in bursts. */
    private static long offsetNs(int thread, double rateMsgPerSec) {
        boolean paced = rateMsgPerSec > 0 && rateMsgPerSec != Double.POSITIVE_INFINITY;
        return paced ? (long) (thread * NS_PER_SECOND / rateMsgPerSec) : 0;
    }

    private static KeyDistributor keys(LoadPlan plan, int thread, int producers) {
        return switch (plan.keys()) {
            case NO_KEY -> KeyDistributor.none();
            case KEY_ROUND_ROBIN -> KeyDistributor.roundRobin(producers);
            case RANDOM_NANO -> KeyDistributor.random(seed(plan, Choice.KEYS, thread));
            case ZIPF -> KeyDistributor.zipf(seed(plan, Choice.KEYS, thread));
        };
    }

    private static long seed(LoadPlan plan, Choice choice, int thread) {
        return plan.seed().part(choice.ordinal()).part(thread).value();
    }

    void start() {
        loops.forEach(loop -> loop.startAt(startNs));
    }

    /**
     * Other rates.
     *
     * @param atNs from when on, epoch nanoseconds; 0 for now
     */
    void changeRate(long atNs, RateProfile rates) {
        long fromNs = atNs == 0 ? clock.getAsLong() : atNs;
        for (int i = 0; i < loops.size(); i++) {
            loops.get(i).changeRate(fromNs, share(rates, producersOf.get(i)));
        }
    }

    boolean finished() {
        return loops.stream().allMatch(ProducerLoop::ended);
    }

    void stop() throws DriverException, InterruptedException {
        loops.forEach(ProducerLoop::stop);
        if (!allEnd(grace.toMillis())) {
            loops.forEach(ProducerLoop::interrupt);
            Duration interruptGrace = grace.dividedBy(2);
            if (!allEnd(interruptGrace.toMillis())) {
                throw new DriverException(
                        "a send is still blocked %d s after sending was to end, although it was interrupted"
                                .formatted(grace.plus(interruptGrace).toSeconds()));
            }
        }
    }

    private boolean allEnd(long timeoutMs) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        boolean all = true;
        for (ProducerLoop loop : loops) {
            all &= loop.awaitEnd(TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime()));
        }
        return all;
    }
}
