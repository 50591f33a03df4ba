package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.AbsentWith;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.binding.ForeignKey;
import io.openmessaging.benchmark.config.payload.RecordFormat;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.MessageProperties;
import io.openmessaging.benchmark.load.PayloadChecks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is sent and received, how fast and for how long. Component names are the keys of a workload file, with their
 * defaults, ranges and what excludes them; {@link WorkloadRules} has the rules on several at once. All of OMB's keys are
 * here with OMB's meaning and default; those from {@code testDuration} on are ours. docs/WORKLOADS.md has an example of
 * each.
 *
 * <p>Where OMB lets an absent count be 0 and starts a run without topics, producers or consumers, the count is required
 * here.
 *
 * @param name what the result calls the workload; the file's name without its extension, if absent
 * @param topics how many topics are created
 * @param partitionsPerTopic how many partitions each topic has
 * @param keyDistributor which keys messages have
 * @param messageSize bytes of each payload, the harness' header included; with a {@code messageSizeDistribution} or {@code
 *     payloadRecords} their mean, which need not be given
 * @param useRandomizedPayloads whether payloads are made of random bytes and zeros
 * @param randomBytesRatio with randomized payloads: the random part of each, from 0 to 1, as far as the header leaves room for
 *     it
 * @param randomizedPayloadPoolSize with randomized payloads: how many different ones there are, each sent equally often
 * @param payloadFile a file with the payload, of exactly {@code messageSize} bytes, or with {@code payloadRecords}; not
 *     looked at with randomized payloads, as in OMB; without either, a text is generated
 * @param subscriptionsPerTopic how many subscriptions each topic has, each of which gets every message; 0 to send only
 * @param producersPerTopic how many producers each topic has, 0 to consume what is there; with {@code producerSteps} the highest number, which need
 *     not be given
 * @param consumerPerSubscription how many consumers share a subscription, 0 to send only; with {@code consumerSteps} the
 *     highest number, which need not be given
 * @param producerRate of all producers together: messages or bytes a second; 0, as in OMB: the rate is searched
 *     for
 * @param consumerBacklogSizeGB if above 0, GiB that build up, counted over all subscriptions, while consumers pause,
 *     before they resume and drain them
 * @param backlogDrainRatio which part of the backlog has to be drained for the run to end, from 0 to 1
 * @param testDurationMinutes how long is measured
 * @param warmupDurationMinutes how long messages flow before that
 * @param testDuration instead of {@code testDurationMinutes}
 * @param warmupDuration instead of {@code warmupDurationMinutes}
 * @param messageCount stops when this many messages, over all producers, were sent in the measurement and received by
 *     every subscription; with a test duration as well, whichever ends first
 * @param samplePeriod the length of a period, for which the result has a figure each
 * @param resourcePeriod how often is read what broker, harness and host use; 0 for never
 * @param producerRateSchedule instead of a rate: the stretches of the measurement, each with a rate of its own
 * @param producerSteps instead of {@code producersPerTopic}: the number grows in the course of the measurement
 * @param consumerSteps instead of {@code consumerPerSubscription}: the number grows in the course of the measurement
 * @param abortWhen with steps: when not to continue with the next, see {@link AbortRules}
 * @param slo latencies that the measurement keeps, and with {@code producerRate: 0} a sustainable rate, see {@link
 *     LatencyBound}
 * @param sendWithin with {@code messageCount}, instead of a rate: in what time all of them are to be sent
 * @param messageSizeDistribution instead of {@code messageSize}: sizes with their weights; with {@code payloadRecords}
 *     those of the records, once they have been read
 * @param arrivals how the messages of a rate are spread over time
 * @param consumerDelay how long a consumer is busy with each message; not at all by default
 * @param inFlightLimit how many messages of a producer may be unconfirmed at a time; as many as its client takes, by
 *     default
 * @param warmupUntilSteady ends the warm-up before its time once the load changes by no more than this
 * @param rateSweep instead of a rate: rates that are gone through one after the other, up to the first that is not
 *     sustained
 * @param searchStep with {@code producerRate: 0}: for how long each rate is judged, after two fifths of that in which it
 *     settles
 * @param seed of all random choices of the load
 * @param verifyPayloads whether each byte of what arrives is checked
 * @param headers of the system, that every message has beside its payload; none by default
 * @param faults what is done to the system in the course of the measurement, in order; nothing by default
 * @param payloadRecords instead of {@code messageSize}: {@code payloadFile} has many payloads, each of its own size, and
 *     this says where they begin and end
 * @param padRecordsTo with {@code payloadRecords}: those with fewer bytes get spaces at their end
 * @param skipRecordsBelow with {@code payloadRecords}: those with fewer bytes are left out
 */
@ForeignKey(
        value = "producerRateList",
        hint = "is a fork's key; here it is producerRateSchedule, such as [{rate: 1000, duration: 10m}, {rate: 2000,"
                + " duration: 10m}]: rates and how long each lasts, not times of the day",
        meant = {"producerRateSchedule", "producerRate"})
@ForeignKey(
        value = {"partitionsPerTopicList", "producersPerTopicList"},
        hint = "is a fork's key; here all topics of a workload are alike, with partitionsPerTopic and"
                + " producersPerTopic: write a workload for each kind of topic",
        meant = {"partitionsPerTopic", "producersPerTopic"})
@ForeignKey(
        value = {"sampleRateMillis", "logIntervalMillis"},
        hint = "is a fork's key for samplePeriod; it must be a whole number of milliseconds from 100 to 3600000, and"
                + " absent with samplePeriod",
        meant = "samplePeriod")
@ForeignKey(
        value = {"existingTopicList", "existingProduceTopicList", "existingConsumeTopicList", "skipCreateTopic"},
        hint = "is a fork's key; here topics that are there already are named in the driver file: existingTopics, see"
                + " the driver's README",
        meant = {"topics", "partitionsPerTopic"})
@ForeignKey(
        value = "randomTopicNames",
        hint = "is a fork's key, which must be true or absent: the topics of each run have names of their own")
public record Workload(
        @Default("") String name,
        @Range(from = "1", to = "1_000_000") int topics,
        @Range(from = "1", to = "1_000_000") int partitionsPerTopic,
        @Default("NO_KEY") KeyDistribution keyDistributor,

        @Range(from = "1", to = SizeShare.MAX_BYTES)
        @AbsentWith(value = "messageSizeDistribution", because = ", which has the sizes", eitherOr = true)
        @AbsentWith(value = "payloadRecords", because = ", each of which has a size of its own", eitherOr = true)
        int messageSize,

        boolean useRandomizedPayloads,
        @Range(from = "0", to = "1") double randomBytesRatio,
        @Range(from = "0", to = "1_000_000") int randomizedPayloadPoolSize,
        @AbsentWith("messageSizeDistribution") @Nullable String payloadFile,
        @Range(from = "0", to = "1_000_000") Integer subscriptionsPerTopic,

        @Range(from = "0", to = "1_000_000") @AbsentWith(value = "producerSteps", because = ", which has the numbers")
        Integer producersPerTopic,

        @Range(from = "0", to = "1_000_000") @AbsentWith(value = "consumerSteps", because = ", which has the numbers")
        Integer consumerPerSubscription,

        @Default("0")
        @AbsentWith(
                value = {"producerRateSchedule", "rateSweep"},
                because = ", which has the rates",
                eitherOr = true)
        @AbsentWith(value = "sendWithin", because = ", which makes the rate with messageCount", eitherOr = true)
        ProducerRate producerRate,

        @Range(from = "0", to = "1_000_000") long consumerBacklogSizeGB,
        @Default("1") @Range(from = "0", to = "1") double backlogDrainRatio,

        @Range(from = "1", to = "43_200")
        @AbsentWith(
                value = {"producerRateSchedule", "rateSweep", "producerSteps", "consumerSteps"},
                because = ", which has the durations")
        @Nullable
        Integer testDurationMinutes,

        @Range(from = "0", to = "43_200") @Nullable Integer warmupDurationMinutes,

        @Shortened(least = "1s")
        @Range(from = "1s", to = "30d")
        @AbsentWith(value = "testDurationMinutes", because = ", which says the same", eitherOr = true)
        @AbsentWith(
                value = {"producerRateSchedule", "rateSweep", "producerSteps", "consumerSteps"},
                because = ", which has the durations")
        @Nullable
        Duration testDuration,

        @Shortened(least = "1s")
        @Default(value = DEFAULT_WARMUP, told = true)
        @Range(from = "0s", to = "30d")
        @AbsentWith(value = "warmupDurationMinutes", because = ", which says the same", eitherOr = true)
        @Nullable
        Duration warmupDuration,

        @Shortened(least = "100")
        @Range(from = "1", to = "1_000_000_000_000")
        @AbsentWith(value = "producerRateSchedule", because = ", which has durations")
        @AbsentWith(value = "rateSweep", because = ", whose rates have a length")
        @AbsentWith({"producerSteps", "consumerSteps"})
        @Nullable
        Long messageCount,

        @Shortened(least = "250ms") @Default("10s") @Range(from = "100ms", to = "1h")
        Duration samplePeriod,

        @Shortened(least = "250ms") @Default("1s") @Range(from = "100ms", to = "1h", orZero = true)
        Duration resourcePeriod,

        @AbsentWith(value = "rateSweep", because = ", which has the rates", eitherOr = true) @Nullable
        List<RateStretch> producerRateSchedule,

        @AbsentWith("producerRateSchedule") @Nullable StepPlan producerSteps,

        @AbsentWith("producerRateSchedule")
        @AbsentWith(value = "producerSteps", because = ": one number grows in a run", eitherOr = true)
        @Nullable
        StepPlan consumerSteps,

        @Nullable Map<String, String> abortWhen,
        @Nullable Map<String, String> slo,

        @Shortened(least = "100ms") // Shorter than other durations, for a burst to keep its rate.
        @Range(from = "1ms", to = "1d")
        @AbsentWith(value = "rateSweep", because = ", which has the rates", eitherOr = true)
        @AbsentWith(value = "producerRateSchedule", eitherOr = true)
        @Nullable
        Duration sendWithin,

        @AbsentWith(value = "payloadRecords", because = ", each of which has a size of its own", eitherOr = true)
        @Nullable
        List<SizeShare> messageSizeDistribution,

        @Default("CONSTANT") ArrivalProcess arrivals,

        @Range(from = "1ms", to = "10s", orZero = true) @Nullable
        Duration consumerDelay,

        @Range(from = "1", to = "1_000_000") @Nullable Integer inFlightLimit,
        @Nullable Percentage warmupUntilSteady,

        @AbsentWith(
                value = {"producerSteps", "consumerSteps"},
                because = ": one number grows in a run")
        @Nullable
        SweepPlan rateSweep,

        @Shortened(least = "1s") @Default("5s") @Range(from = "1s", to = "30d")
        Duration searchStep,

        // Exact in every reader of JSON, with room for the repetitions of a plan.
        @Default("1") @Range(from = "0", to = "1_000_000_000_000_000")
        long seed,

        boolean verifyPayloads,
        @Nullable MessageProperties headers,

        @AbsentWith(
                value = {"producerRateSchedule", "rateSweep", "producerSteps", "consumerSteps", "messageCount"},
                because = ": a fault is measured under a load that is the same from begin to end")
        @Nullable
        List<Fault> faults,

        @Nullable RecordFormat payloadRecords,

        @Range(from = "0", to = "1_048_576")
        @AbsentWith(
                value = {"messageSize", "messageSizeDistribution"},
                eitherOr = true)
        int padRecordsTo,

        @Range(from = "0", to = "1_048_576")
        @AbsentWith(
                value = {"messageSize", "messageSizeDistribution"},
                eitherOr = true)
        int skipRecordsBelow)
        implements Checked {

    /** Breaks the rule of a count that must be there, which is then reported as missing. */
    private static final int ABSENT = -1;

    /** A size that breaks no rule, of records that are not read, or cannot be: what is wrong is told at their own key. */
    private static final int UNREAD_BYTES = 1024;

    private static final String DEFAULT_WARMUP = "1m";
    private static final double NS_PER_SECOND = 1e9;

    public Workload {
        messageSize = messageSize == 0 ? impliedSize(messageSizeDistribution, payloadRecords) : messageSize;
        subscriptionsPerTopic = subscriptionsPerTopic == null ? ABSENT : subscriptionsPerTopic;
        producersPerTopic = producersPerTopic == null ? highest(producerSteps, ABSENT) : producersPerTopic;
        consumerPerSubscription =
                consumerPerSubscription == null ? highest(consumerSteps, ABSENT) : consumerPerSubscription;
        if (producersPerTopic == 0) {
            // What OMB demands says nothing where nobody sends.
            producerRate = new ProducerRate.Unlimited();
            messageSize = Math.max(1, messageSize);
        }
        producerRate = producerRate == null
                ? impliedRate(producerRateSchedule, rateSweep, messageCount, sendWithin)
                : producerRate;
    }

    /** Some number that is possible if the steps are not: what is wrong with them is told at their own key. */
    private static int highest(@Nullable StepPlan steps, int otherwise) {
        if (steps == null) {
            return otherwise;
        }
        return steps.isSound() ? steps.highest() : 1;
    }

    private static int impliedSize(@Nullable List<SizeShare> sizes, @Nullable RecordFormat records) {
        if (sizes != null) {
            return Math.max(1, (int) Math.round(meanBytes(sizes)));
        }
        return records == null ? 0 : UNREAD_BYTES;
    }

    private static double meanBytes(List<SizeShare> sizes) {
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
            return new ProducerRate.GivenBy(schedule != null ? "producerRateSchedule" : "rateSweep");
        }
        return sendWithin == null || sendWithin.isZero() || messageCount == null
                ? new ProducerRate.MaxSustainable()
                : new ProducerRate.Fixed(messageCount / (sendWithin.toNanos() / NS_PER_SECOND));
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

    /** The size of the largest messages. */
    public int largestMessageBytes() {
        return sizes().stream().mapToInt(SizeShare::size).max().orElse(0);
    }

    /** How many records of a payload file are sent; 0 if it has none. */
    public long recordCount() {
        return payloadRecords == null
                ? 0
                : (long) sizes().stream().mapToDouble(SizeShare::weight).sum();
    }

    /** The layout of the headers that messages have room for. */
    public MessageHeader.Layout headerLayout() {
        return consumesOnly()
                ? MessageHeader.Layout.NONE
                : MessageHeader.Layout.of(smallestMessageBytes(), topics * producersPerTopic);
    }

    /** How many bytes of each message are not its content: the header, and checksums if it has any. */
    public int reservedBytes() {
        return verifyPayloads ? PayloadChecks.END : headerLayout().bytes();
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

    /** When not to continue with the next step. */
    public AbortRules abortRules() {
        return abortWhen == null ? AbortRules.NONE : AbortRules.of(abortWhen, new Problems());
    }

    /** The latencies that the measurement is to keep; none if nothing is demanded of it. */
    public List<LatencyBound> sloBounds() {
        return slo == null ? List.of() : LatencyBound.of(slo, FaultBounds.KEYS, new Problems());
    }

    /** What is done to the system in the course of the measurement, in order. */
    public List<Fault> faultsInOrder() {
        return faults == null ? List.of() : faults;
    }

    /** What the faults may do. */
    public FaultBounds faultBounds() {
        return FaultBounds.of(slo == null ? Map.of() : slo, new Problems());
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
        if (consumesOnly() && warmupDurationMinutes == null) {
            return Duration.ZERO;
        }
        return warmupDurationMinutes == null
                ? DurationText.parse(DEFAULT_WARMUP).orElseThrow()
                : Duration.ofMinutes(warmupDurationMinutes);
    }

    /** Whether what is there is consumed, and nothing sent. */
    public boolean consumesOnly() {
        return producersPerTopic == 0;
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
    }
}
