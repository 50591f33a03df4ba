package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.config.ProducerRate.MaxSustainable;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.load.Arrivals;
import io.openmessaging.benchmark.load.KeyDistribution;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is sent and received, how fast and for how long. Component names are the keys of a workload file. All of OMB's
 * keys are here with OMB's meaning and default; those from {@code testDuration} on are ours. docs/WORKLOADS.md has an
 * example of each.
 *
 * <p>Where OMB lets an absent count be 0 and starts a run without topics, producers or consumers, the count is required
 * here.
 *
 * @param name what the result calls the workload; the file's name without its extension, if absent
 * @param topics how many topics are created
 * @param partitionsPerTopic how many partitions each topic has
 * @param keyDistributor which keys messages have, none by default
 * @param messageSize bytes of each payload, the harness' header included; with a {@code messageSizeDistribution} their
 *     mean, which need not be given
 * @param useRandomizedPayloads whether payloads are made of random bytes and zeros; false by default
 * @param randomBytesRatio with randomized payloads: the random part of each, from 0 to 1, as far as the header leaves room for
 *     it; 0 by default
 * @param randomizedPayloadPoolSize with randomized payloads: how many different ones there are, each sent equally often
 * @param payloadFile a file with the payload, of exactly {@code messageSize} bytes; not looked at with randomized
 *     payloads, as in OMB; without either, a text is generated
 * @param subscriptionsPerTopic how many subscriptions each topic has, each of which gets every message; 0 to send only
 * @param producersPerTopic how many producers each topic has; with {@code producerSteps} the highest number, which need
 *     not be given
 * @param consumerPerSubscription how many consumers share a subscription, 0 to send only; with {@code consumerSteps} the
 *     highest number, which need not be given
 * @param producerRate of all producers together: messages or bytes a second; by default 0, as in OMB: the rate is
 *     searched for
 * @param consumerBacklogSizeGB if above 0, GiB that build up, counted over all subscriptions, while consumers pause,
 *     before they resume and drain them; 0 by default
 * @param backlogDrainRatio which part of the backlog has to be drained for the run to end, from 0 to 1; 1 by default
 * @param testDurationMinutes how long is measured
 * @param warmupDurationMinutes how long messages flow before that; 1 by default
 * @param testDuration instead of {@code testDurationMinutes}
 * @param warmupDuration instead of {@code warmupDurationMinutes}
 * @param messageCount stops when this many messages, over all producers, were sent in the measurement and received by
 *     every subscription; with a test duration as well, whichever ends first
 * @param samplePeriod the length of a period, for which the result has a figure each; OMB's 10 s by default
 * @param resourcePeriod how often is read what broker, harness and host use; 1 s by default, 0 for never
 * @param producerRateSchedule instead of a rate: the stretches of the measurement, each with a rate of its own
 * @param producerSteps instead of {@code producersPerTopic}: the number grows in the course of the measurement
 * @param consumerSteps instead of {@code consumerPerSubscription}: the number grows in the course of the measurement
 * @param abortWhen with steps: when not to go on to the next, see {@link AbortRules}
 * @param slo latencies that the measurement keeps, and with {@code producerRate: 0} a sustainable rate, see {@link
 *     LatencyBound}
 * @param sendWithin with {@code messageCount}, instead of a rate: in what time all of them are to be sent
 * @param messageSizeDistribution instead of {@code messageSize}: sizes with their weights
 * @param arrivals how the messages of a rate are spread over time, evenly by default
 * @param consumerDelay how long a consumer is busy with each message; not at all by default
 * @param inFlightLimit how many messages of a producer may be unconfirmed at a time; as many as its client takes, by
 *     default
 * @param warmupUntilSteady ends the warm-up before its time once the load changes by no more than this
 * @param rateSweep instead of a rate: rates that are gone through one after the other, up to the first that is not
 *     sustained
 * @param searchStep with {@code producerRate: 0}: for how long each rate is judged, after two fifths of that in which it
 *     settles; 5 s by default
 * @param seed of all random choices of the load; 1 by default
 * @param verifyPayloads whether each byte of what arrives is checked; false by default
 */
public record Workload(
        String name,
        int topics,
        int partitionsPerTopic,
        KeyDistribution keyDistributor,
        int messageSize,
        boolean useRandomizedPayloads,
        double randomBytesRatio,
        int randomizedPayloadPoolSize,
        @Nullable String payloadFile,
        Integer subscriptionsPerTopic,
        int producersPerTopic,
        Integer consumerPerSubscription,
        ProducerRate producerRate,
        long consumerBacklogSizeGB,
        Double backlogDrainRatio,
        @Nullable Integer testDurationMinutes,
        @Nullable Integer warmupDurationMinutes,
        @Nullable Duration testDuration,
        @Nullable Duration warmupDuration,
        @Nullable Long messageCount,
        Duration samplePeriod,
        Duration resourcePeriod,
        @Nullable List<RateStretch> producerRateSchedule,
        @Nullable StepPlan producerSteps,
        @Nullable StepPlan consumerSteps,
        @Nullable Map<String, String> abortWhen,
        @Nullable Map<String, String> slo,
        @Nullable Duration sendWithin,
        @Nullable List<SizeShare> messageSizeDistribution,
        Arrivals arrivals,
        @Nullable Duration consumerDelay,
        @Nullable Integer inFlightLimit,
        @Nullable Percentage warmupUntilSteady,
        @Nullable SweepPlan rateSweep,
        Duration searchStep,
        Long seed,
        boolean verifyPayloads)
        implements Checked {

    /** Breaks the rule of a count that must be there, which is then reported as missing. */
    private static final int ABSENT = -1;

    private static final double NS_PER_SECOND = 1e9;

    private static final ProducerRate BY_SCHEDULE = new ProducerRate.GivenBy("producerRateSchedule");
    private static final ProducerRate BY_SWEEP = new ProducerRate.GivenBy("rateSweep");
    private static final Duration DEFAULT_SAMPLE_PERIOD = Duration.ofSeconds(10);
    private static final Duration DEFAULT_RESOURCE_PERIOD = Duration.ofSeconds(1);
    private static final Duration DEFAULT_WARMUP = Duration.ofMinutes(1);
    private static final Duration DEFAULT_SEARCH_STEP = Duration.ofSeconds(5);
    private static final long DEFAULT_SEED = 1;

    public Workload {
        name = name == null ? "" : name;
        keyDistributor = keyDistributor == null ? KeyDistribution.NO_KEY : keyDistributor;
        messageSize = messageSize == 0 ? (int) Math.round(meanBytes(messageSizeDistribution)) : messageSize;
        subscriptionsPerTopic = subscriptionsPerTopic == null ? ABSENT : subscriptionsPerTopic;
        producersPerTopic = producersPerTopic == 0 ? highest(producerSteps, 0) : producersPerTopic;
        consumerPerSubscription =
                consumerPerSubscription == null ? highest(consumerSteps, ABSENT) : consumerPerSubscription;
        producerRate = producerRate == null
                ? impliedRate(producerRateSchedule, rateSweep, messageCount, sendWithin)
                : producerRate;
        arrivals = arrivals == null ? Arrivals.CONSTANT : arrivals;
        backlogDrainRatio = backlogDrainRatio == null ? 1.0 : backlogDrainRatio;
        samplePeriod = samplePeriod == null ? DEFAULT_SAMPLE_PERIOD : samplePeriod;
        resourcePeriod = resourcePeriod == null ? DEFAULT_RESOURCE_PERIOD : resourcePeriod;
        searchStep = searchStep == null ? DEFAULT_SEARCH_STEP : searchStep;
        seed = seed == null ? DEFAULT_SEED : seed;
    }

    private static int highest(@Nullable StepPlan steps, int otherwise) {
        return steps == null || !steps.isSound() ? otherwise : steps.highest();
    }

    private static double meanBytes(@Nullable List<SizeShare> sizes) {
        if (sizes == null) {
            return 0;
        }
        double weights = sizes.stream().mapToDouble(SizeShare::weight).sum();
        return sizes.stream()
                        .mapToDouble(share -> share.size() * share.weight())
                        .sum()
                / weights;
    }

    private static ProducerRate impliedRate(
            @Nullable List<RateStretch> schedule,
            @Nullable SweepPlan sweep,
            @Nullable Long messageCount,
            @Nullable Duration sendWithin) {
        if (schedule != null || sweep != null) {
            return schedule != null ? BY_SCHEDULE : BY_SWEEP;
        }
        return sendWithin == null || sendWithin.isZero() || messageCount == null
                ? new MaxSustainable()
                : burst(messageCount, sendWithin);
    }

    /** The rate that sends so many messages in a time. */
    static ProducerRate burst(long messageCount, Duration sendWithin) {
        return new ProducerRate.Fixed(messageCount / (sendWithin.toNanos() / NS_PER_SECOND));
    }

    /** The rate of the messages, with the size of the messages a rate in bytes is one in messages a second. */
    public ProducerRate messageRate() {
        return producerRate instanceof ProducerRate.Bytes bytes
                ? new ProducerRate.Fixed(
                        bytes.messagesPerSecond(meanMessageBytes()).orElseThrow())
                : producerRate;
    }

    /** The sizes of messages with their weights, whether there is one or several. */
    public List<SizeShare> sizes() {
        return messageSizeDistribution == null ? List.of(new SizeShare(messageSize, 1)) : messageSizeDistribution;
    }

    /** The mean size of a message. */
    public double meanMessageBytes() {
        return messageSizeDistribution == null ? messageSize : meanBytes(messageSizeDistribution);
    }

    /** The size of the smallest messages. */
    public int smallestMessageBytes() {
        return sizes().stream().mapToInt(SizeShare::size).min().orElse(0);
    }

    /**
     * The seed of one of several runs of the workload: each has another one, and the first the one that the workload asks
     * for.
     *
     * @param repetition which run, from 1
     */
    public long seedOf(int repetition) {
        return seed + repetition - 1;
    }

    /** The stretches of the measurement; none if its rate does not change. */
    public List<RateStretch> schedule() {
        return producerRateSchedule == null ? List.of() : producerRateSchedule;
    }

    /** How the number of clients grows, whether they are producers or consumers; empty if it does not. */
    public Optional<StepPlan> steps() {
        return Optional.ofNullable(producerSteps == null ? consumerSteps : producerSteps);
    }

    /** When not to go on to the next step. */
    public AbortRules abortRules() {
        return abortWhen == null ? AbortRules.NONE : AbortRules.of(abortWhen, new Problems());
    }

    /** The latencies that the measurement is to keep; none if nothing is demanded of it. */
    public List<LatencyBound> sloBounds() {
        return slo == null ? List.of() : LatencyBound.of(slo, new Problems());
    }

    /** How long is measured at most; empty if only {@link #messageCount()} ends the measurement. */
    public Optional<Duration> testTime() {
        if (producerRateSchedule != null) {
            return Optional.of(
                    producerRateSchedule.stream().map(RateStretch::time).reduce(Duration.ZERO, Duration::plus));
        }
        if (steps().isPresent()) {
            return steps().map(StepPlan::totalTime);
        }
        if (rateSweep != null) {
            return Optional.of(rateSweep.totalTime(meanMessageBytes()));
        }
        return Optional.ofNullable(
                testDurationMinutes == null ? testDuration : Duration.ofMinutes(testDurationMinutes));
    }

    /** How long messages flow before the measurement, at most. */
    public Duration warmupTime() {
        if (warmupDuration != null) {
            return warmupDuration;
        }
        return warmupDurationMinutes == null ? DEFAULT_WARMUP : Duration.ofMinutes(warmupDurationMinutes);
    }

    /** Whether anybody receives what is sent. */
    public boolean hasConsumers() {
        return subscriptionsPerTopic > 0 && consumerPerSubscription > 0;
    }

    /** Whether a backlog is built up and drained. */
    public boolean buildsBacklog() {
        return consumerBacklogSizeGB > 0;
    }

    @Override
    public void check(Problems problems) {
        new WorkloadRules(this, problems).check();
        new LoadRules(this, problems).check();
    }
}
