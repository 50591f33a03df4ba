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
import io.openmessaging.benchmark.metric.Weakness;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A load to send and receive, with its rate and duration. Component names are the keys of a workload file, with their
 * defaults, ranges and exclusions; {@link WorkloadRules} has the rules that span several keys. All of OMB's keys are
 * here with OMB's meaning and default; those from {@code testDuration} on are ours. docs/WORKLOADS.md explains
 * each to users.
 *
 * <p>OMB lets a missing count be 0 and starts a run without topics, producers or consumers. Here, counts are required.
 *
 * @param name the workload's name in the result; if absent, the file's name without its extension
 * @param topics number of topics to create
 * @param partitionsPerTopic number of partitions per topic
 * @param keyDistributor the choice of message keys
 * @param messageSize payload size, bytes, including the harness' header; with a {@code messageSizeDistribution} or
 *     {@code payloadRecords} the mean size, which may be absent
 * @param useRandomizedPayloads true for payloads of random bytes and zeros
 * @param randomBytesRatio with randomized payloads: the random part of each, from 0 to 1, as far as the header leaves
 *     room for it
 * @param randomizedPayloadPoolSize with randomized payloads: number of different payloads, each sent equally often
 * @param payloadFile a file with the payload, of exactly {@code messageSize} bytes, or with {@code payloadRecords};
 *     ignored with randomized payloads, as in OMB; without either, a text is generated
 * @param subscriptionsPerTopic number of subscriptions per topic, each of which receives every message; 0 to send only
 * @param producersPerTopic number of producers per topic, 0 to consume existing messages; with {@code producerSteps}
 *     the highest number, which may be absent
 * @param consumerPerSubscription number of consumers that share a subscription, 0 to send only; with
 *     {@code consumerSteps} the highest number, which may be absent
 * @param producerRate rate of all producers together, messages or bytes per second; 0, as in OMB, to search for the
 *     rate
 * @param consumerBacklogSizeGB if above 0, the backlog in GiB, counted over all subscriptions, that builds up while
 *     consumers pause, before they resume and drain it
 * @param backlogDrainRatio the part of the backlog, from 0 to 1, that must drain for the run to end
 * @param testDurationMinutes duration of the measurement
 * @param warmupDurationMinutes duration of the load before the measurement
 * @param testDuration instead of {@code testDurationMinutes}
 * @param warmupDuration instead of {@code warmupDurationMinutes}
 * @param messageCount number of messages, over all producers, after which the measurement stops once every
 *     subscription has received them; with a test duration as well, whichever ends first
 * @param samplePeriod length of a period; the result has figures for each
 * @param resourcePeriod interval between readings of the resources of broker, harness and host; 0 for no readings
 * @param producerRateSchedule instead of a rate: the stretches of the measurement, each with its own rate
 * @param producerSteps instead of {@code producersPerTopic}: a number that grows during the measurement
 * @param consumerSteps instead of {@code consumerPerSubscription}: a number that grows during the measurement
 * @param abortWhen with steps: the rules that stop them early, see {@link AbortRules}
 * @param slo latency bounds for the measurement, and with {@code producerRate: 0} for a sustainable rate, see
 *     {@link LatencyBound}
 * @param sendWithin with {@code messageCount}, instead of a rate: the time in which to send all messages
 * @param messageSizeDistribution instead of {@code messageSize}: sizes with their weights; with {@code payloadRecords}
 *     the sizes of the records, once they have been read
 * @param arrivals the distribution of a rate's messages over time
 * @param consumerDelay time that a consumer spends on each message; none by default
 * @param inFlightLimit the most messages of a producer that may be unconfirmed at a time; by default, as many as its
 *     client takes
 * @param warmupUntilSteady the largest change of the load at which the warm-up ends early
 * @param rateSweep instead of a rate: rates to measure in turn, up to the first that is not sustained
 * @param searchStep with {@code producerRate: 0}: the time for which each rate is judged, once it has settled
 * @param searchDuration with {@code producerRate: 0}: the longest time for all tries; no limit by default
 * @param seed seed of all random choices of the load
 * @param verifyPayloads true to check each byte of the messages that arrive
 * @param headers message properties that each message carries besides its payload; none by default
 * @param faults faults to inject during the measurement, in order; none by default
 * @param payloadRecords instead of {@code messageSize}: the format of a {@code payloadFile} with many payloads, each
 *     of its own size, which says where they start and end
 * @param padRecordsTo with {@code payloadRecords}: the size up to which shorter records are padded with spaces
 * @param skipRecordsBelow with {@code payloadRecords}: the size below which records are left out
 * @param expect weaknesses of the system that the workload is meant to show; none by default
 */
@ForeignKey(
        value = "producerRateList",
        hint = "is a key of an OMB fork; use producerRateSchedule, such as [{rate: 1000, duration: 10m}, {rate: 2000,"
                + " duration: 10m}]: each rate has a duration, not a time of day",
        meant = {"producerRateSchedule", "producerRate"})
@ForeignKey(
        value = {"partitionsPerTopicList", "producersPerTopicList"},
        hint = "is a key of an OMB fork; here all topics of a workload are alike, with partitionsPerTopic and"
                + " producersPerTopic: write a workload for each kind of topic",
        meant = {"partitionsPerTopic", "producersPerTopic"})
@ForeignKey(
        value = {"sampleRateMillis", "logIntervalMillis"},
        hint =
                "is a key of an OMB fork for samplePeriod; it must be a whole number of milliseconds from 100 to 3600000, and"
                        + " absent with samplePeriod",
        meant = "samplePeriod")
@ForeignKey(
        value = {"existingTopicList", "existingProduceTopicList", "existingConsumeTopicList", "skipCreateTopic"},
        hint = "is a key of an OMB fork; here existing topics are named in the driver file: existingTopics, see"
                + " the driver's README",
        meant = {"topics", "partitionsPerTopic"})
@ForeignKey(
        value = "randomTopicNames",
        hint = "is a key of an OMB fork, which must be true or absent: each run has its own topic names")
public record Workload(
        @Default("") String name,
        @Range(from = "1", to = "1_000_000") int topics,
        @Range(from = "1", to = "1_000_000") int partitionsPerTopic,
        @Default("NO_KEY") KeyDistribution keyDistributor,

        @Range(from = "1", to = SizeShare.MAX_BYTES)
        @AbsentWith(value = "messageSizeDistribution", because = ", which sets the sizes", eitherOr = true)
        @AbsentWith(value = "payloadRecords", because = ", each of which has a size of its own", eitherOr = true)
        int messageSize,

        boolean useRandomizedPayloads,
        @Range(from = "0", to = "1") double randomBytesRatio,
        @Range(from = "0", to = "1_000_000") int randomizedPayloadPoolSize,
        @AbsentWith("messageSizeDistribution") @Nullable String payloadFile,
        @Range(from = "0", to = "1_000_000") Integer subscriptionsPerTopic,

        @Range(from = "0", to = "1_000_000") @AbsentWith(value = "producerSteps", because = ", which sets the numbers")
        Integer producersPerTopic,

        @Range(from = "0", to = "1_000_000") @AbsentWith(value = "consumerSteps", because = ", which sets the numbers")
        Integer consumerPerSubscription,

        @Default("0")
        @AbsentWith(
                value = {"producerRateSchedule", "rateSweep"},
                because = ", which sets the rates",
                eitherOr = true)
        @AbsentWith(value = "sendWithin", because = ", which sets the rate together with messageCount", eitherOr = true)
        ProducerRate producerRate,

        @Range(from = "0", to = "1_000_000") long consumerBacklogSizeGB,
        @Default("1") @Range(from = "0", to = "1") double backlogDrainRatio,

        @Range(from = "1", to = "43_200")
        @AbsentWith(
                value = {"producerRateSchedule", "rateSweep", "producerSteps", "consumerSteps"},
                because = ", which sets the durations")
        @Nullable
        Integer testDurationMinutes,

        @Range(from = "0", to = "43_200") @Nullable Integer warmupDurationMinutes,

        @Shortened(least = "1s")
        @Range(from = "1s", to = "30d")
        @AbsentWith(value = "testDurationMinutes", because = ", which has the same meaning", eitherOr = true)
        @AbsentWith(
                value = {"producerRateSchedule", "rateSweep", "producerSteps", "consumerSteps"},
                because = ", which sets the durations")
        @Nullable
        Duration testDuration,

        @Shortened(least = "1s")
        @Default(value = DEFAULT_WARMUP, told = true)
        @Range(from = "0s", to = "30d")
        @AbsentWith(value = "warmupDurationMinutes", because = ", which has the same meaning", eitherOr = true)
        @Nullable
        Duration warmupDuration,

        @Shortened(least = "100")
        @Range(from = "1", to = "1_000_000_000_000")
        @AbsentWith(value = "producerRateSchedule", because = ", which sets durations")
        @AbsentWith(value = "rateSweep", because = ", whose rates have a length")
        @AbsentWith({"producerSteps", "consumerSteps"})
        @Nullable
        Long messageCount,

        @Shortened(least = "250ms") @Default("10s") @Range(from = "100ms", to = "1h")
        Duration samplePeriod,

        @Shortened(least = "250ms") @Default("1s") @Range(from = "100ms", to = "1h", orZero = true)
        Duration resourcePeriod,

        @AbsentWith(value = "rateSweep", because = ", which sets the rates", eitherOr = true) @Nullable
        List<RateStretch> producerRateSchedule,

        @AbsentWith("producerRateSchedule") @Nullable StepPlan producerSteps,

        @AbsentWith("producerRateSchedule")
        @AbsentWith(value = "producerSteps", because = ": only one number can grow in a run", eitherOr = true)
        @Nullable
        StepPlan consumerSteps,

        @Nullable Map<String, String> abortWhen,
        @Nullable Map<String, String> slo,

        @Shortened(least = "100ms") // Shorter than other durations, so that a burst keeps its rate.
        @Range(from = "1ms", to = "1d")
        @AbsentWith(value = "rateSweep", because = ", which sets the rates", eitherOr = true)
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
                because = ": only one number can grow in a run")
        @Nullable
        SweepPlan rateSweep,

        @Shortened(least = "1s") @Default("5s") @Range(from = "1s", to = "30d")
        Duration searchStep,

        @Shortened(least = "1s") @Range(from = "1s", to = "30d") @Nullable
        Duration searchDuration,

        // The upper limit is exact in every reader of JSON, and leaves room for the repetitions of a plan.
        @Default("1") @Range(from = "0", to = "1_000_000_000_000_000")
        long seed,

        boolean verifyPayloads,
        @Nullable MessageProperties headers,

        @AbsentWith(
                value = {"producerRateSchedule", "rateSweep", "producerSteps", "consumerSteps", "messageCount"},
                because = ": faults need a load that is constant throughout")
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
        int skipRecordsBelow,

        @Default("[]") List<Weakness> expect)
        implements Checked {

    /** A value that breaks the rule of a required count, which is then reported as missing. */
    private static final int ABSENT = -1;

    /**
     * A size that breaks no rule, for records that are not read yet or cannot be read: problems are reported at their
     * own key.
     */
    private static final int UNREAD_BYTES = 1024;

    private static final String DEFAULT_WARMUP = "1m";

    public Workload {
        messageSize = messageSize == 0 ? impliedSize(messageSizeDistribution, payloadRecords) : messageSize;
        subscriptionsPerTopic = subscriptionsPerTopic == null ? ABSENT : subscriptionsPerTopic;
        producersPerTopic = producersPerTopic == null ? highest(producerSteps, ABSENT) : producersPerTopic;
        consumerPerSubscription =
                consumerPerSubscription == null ? highest(consumerSteps, ABSENT) : consumerPerSubscription;
        if (producersPerTopic == 0) {
            // OMB demands these keys, but they mean nothing without producers.
            producerRate = new ProducerRate.Unlimited();
            messageSize = Math.max(1, messageSize);
        }
        producerRate = producerRate == null
                ? impliedRate(producerRateSchedule, rateSweep, messageCount, sendWithin)
                : producerRate;
    }

    /** Returns a valid number even for invalid steps: their problems are reported at their own key. */
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
                : new ProducerRate.Fixed(messageCount / (sendWithin.toNanos() / 1e9));
    }

    /** Returns the rate, converting bytes per second to messages per second by the mean message size. */
    public ProducerRate messageRate() {
        return producerRate instanceof ProducerRate.Bytes bytes
                ? new ProducerRate.Fixed(
                        bytes.messagesPerSecond(meanMessageBytes()).orElseThrow())
                : producerRate;
    }

    /** Returns the message sizes with their weights, for one size or several. */
    public List<SizeShare> sizes() {
        return messageSizeDistribution == null ? List.of(new SizeShare(messageSize, 1)) : messageSizeDistribution;
    }

    public double meanMessageBytes() {
        return messageSizeDistribution == null ? messageSize : meanBytes(messageSizeDistribution);
    }

    public int smallestMessageBytes() {
        return sizes().stream().mapToInt(SizeShare::size).min().orElse(0);
    }

    public int largestMessageBytes() {
        return sizes().stream().mapToInt(SizeShare::size).max().orElse(0);
    }

    /** Returns the number of records of the payload file that are sent; 0 if it has none. */
    public long recordCount() {
        return payloadRecords == null
                ? 0
                : (long) sizes().stream().mapToDouble(SizeShare::weight).sum();
    }

    /** Returns the layout of the headers that the messages have room for. */
    public MessageHeader.Layout headerLayout() {
        return consumesOnly()
                ? MessageHeader.Layout.NONE
                : MessageHeader.Layout.of(smallestMessageBytes(), topics * producersPerTopic);
    }

    /** Returns the bytes of each message that are not content: the header and any checksums. */
    public int reservedBytes() {
        return verifyPayloads ? PayloadChecks.END : headerLayout().bytes();
    }

    /**
     * Returns the seed for one of several runs of the workload. Each run has its own; the first has the workload's.
     *
     * @param repetition number of the run, from 1
     */
    public long seedOf(int repetition) {
        return seed + repetition - 1;
    }

    /** The stretches of the measurement; empty if its rate does not change. */
    public List<RateStretch> schedule() {
        return producerRateSchedule == null ? List.of() : producerRateSchedule;
    }

    /** Returns the growth of the number of producers or consumers; empty if it does not grow. */
    public Optional<StepPlan> steps() {
        return Optional.ofNullable(producerSteps == null ? consumerSteps : producerSteps);
    }

    /** Returns the rules that stop the steps early. */
    public AbortRules abortRules() {
        return abortWhen == null ? AbortRules.NONE : AbortRules.of(abortWhen, new Problems());
    }

    /** Returns the latency bounds of the measurement; empty if there are none. */
    public List<LatencyBound> sloBounds() {
        return slo == null ? List.of() : LatencyBound.of(slo, FaultBounds.KEYS, new Problems());
    }

    /** The faults to inject during the measurement, in order. */
    public List<Fault> faultsInOrder() {
        return faults == null ? List.of() : faults;
    }

    /** Returns the bounds for the effects of faults. */
    public FaultBounds faultBounds() {
        return FaultBounds.of(slo == null ? Map.of() : slo, new Problems());
    }

    /** Returns the maximum duration of the measurement; empty if only {@link #messageCount()} ends it. */
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

    /** Returns the maximum duration of the load before the measurement. */
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

    /** Returns whether the run only consumes existing messages and sends nothing. */
    public boolean consumesOnly() {
        return producersPerTopic == 0;
    }

    /** Returns whether there are consumers. */
    public boolean hasConsumers() {
        return subscriptionsPerTopic > 0 && consumerPerSubscription > 0;
    }

    /** Returns whether a backlog is built up and drained. */
    public boolean buildsBacklog() {
        return consumerBacklogSizeGB > 0;
    }

    @Override
    public void check(Problems problems) {
        new WorkloadRules(this, problems).check();
    }
}
