package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.config.ProducerRate.Fixed;
import io.openmessaging.benchmark.config.ProducerRate.MaxSustainable;
import io.openmessaging.benchmark.config.ProducerRate.Unlimited;
import io.openmessaging.benchmark.config.payload.PayloadFile;
import io.openmessaging.benchmark.config.payload.RecordFormat;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.measure.Latency;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rules that span several values of a workload; rules for a single value are declared at its key. The limits are far
 * beyond any run: they catch mistakes.
 */
final class WorkloadRules {

    private static final int MAX_COUNT_IN_ALL = 10_000_000;
    private static final int MAX_PAYLOAD_POOL_BYTES = 256 << 20;
    private static final int MAX_SIZES = 1000;

    /** One message per 100 ms: a slot without a message is inconclusive. */
    private static final int LEAST_RATE_WITH_FAULTS = 10;

    private static final int MOST_PRODUCERS_WITH_FAULTS = 1000;

    /** Rarer sizes would never occur, since sizes are mixed at this granularity. */
    private static final double RAREST_SIZE = 0.0001;

    /** From this size on, a header has a whole sequence number, by which any consumer can identify the message. */
    private static final int FULL_HEADER_BYTES = 32;

    /** The size of such a header with two checksums. */
    private static final int CHECKED_BYTES = FULL_HEADER_BYTES + 8;

    private static final String NEEDS_CONSUMERS =
            "needs consumers: subscriptionsPerTopic and consumerPerSubscription of at least 1";

    private final Workload workload;
    private final Problems problems;

    /** The minimum size of records, which is the highest of all needs. */
    private PayloadFile.Least least;

    WorkloadRules(Workload workload, Problems problems) {
        this.workload = workload;
        this.problems = problems;
        this.least = leastHeader(workload);
    }

    /**
     * Returns the minimum for the header that the audit needs: records can have any size, and the user needs to know
     * if one is too small.
     */
    private static PayloadFile.Least leastHeader(Workload workload) {
        int compact = MessageHeader.Layout.COMPACT.bytes();
        return MessageHeader.Layout.of(compact, workload.topics() * workload.producersPerTopic())
                        == MessageHeader.Layout.COMPACT
                ? new PayloadFile.Least(compact, "which the harness' header replaces")
                : new PayloadFile.Least(
                        FULL_HEADER_BYTES, "which the harness' header for this many producers replaces");
    }

    /** Returns the rules for the records of a workload's payload file; empty if it has no records. */
    static Optional<PayloadFile.Rules> records(Workload workload) {
        WorkloadRules rules = new WorkloadRules(workload, new Problems());
        rules.check();
        return Optional.ofNullable(workload.payloadRecords())
                .map(format -> new PayloadFile.Rules(
                        format, workload.skipRecordsBelow(), workload.padRecordsTo(), rules.least));
    }

    void check() {
        problems.require(!workload.name().isBlank(), "name", "must not be blank", workload.name());
        problems.printable("name", workload.name());
        checkCounts();
        checkPayloads();
        checkSizes();
        checkBacklog();
        checkTimes();
        checkRate();
        checkSchedule();
        checkSteps("producerSteps", workload.producerSteps());
        checkSteps("consumerSteps", workload.consumerSteps());
        checkJoiningConsumers();
        checkAbortRules();
        checkSlo();
        checkConsumerDelay();
        checkVerification();
        checkFaults();
        checkConsumesOnly();
        checkExpected();
    }

    /** A search and a sweep are meant to find the rate at which a system shows its weaknesses. */
    private void checkExpected() {
        Object expected = workload.expect().isEmpty() ? null : workload.expect();
        excludes("expect", workload.rateSweep() == null ? null : expected, "rateSweep");
        excludes(
                "expect",
                workload.producerRate() instanceof ProducerRate.MaxSustainable ? expected : null,
                "producerRate: 0, which searches for the rate");
    }

    /** Accepts keys that OMB demands although they mean nothing in such a run, such as a rate. */
    private void checkConsumesOnly() {
        if (!workload.consumesOnly()) {
            return;
        }
        problems.require(workload.hasConsumers(), "producersPerTopic", "0 " + NEEDS_CONSUMERS, 0);
        String none = "producersPerTopic: 0, with which nothing is sent";
        excludes("producerRateSchedule", workload.producerRateSchedule(), none);
        excludes("rateSweep", workload.rateSweep(), none);
        excludes("consumerSteps", workload.consumerSteps(), none);
        excludes("sendWithin", workload.sendWithin(), none);
        excludes("slo", workload.slo(), none);
        excludes("faults", workload.faults(), none);
        excludes("headers", workload.headers(), none);
        excludes("inFlightLimit", workload.inFlightLimit(), none);
        excludes("warmupUntilSteady", workload.warmupUntilSteady(), none);
        excludes("verifyPayloads", workload.verifyPayloads() ? true : null, none);
        excludes("consumerBacklogSizeGB", workload.buildsBacklog() ? workload.consumerBacklogSizeGB() : null, none);
        problems.require(
                workload.warmupTime().isZero(),
                workload.warmupDuration() == null ? "warmupDurationMinutes" : "warmupDuration",
                "must be 0 or absent with producersPerTopic: 0, since messages consumed in a warm-up are gone",
                DurationText.format(workload.warmupTime()));
    }

    private void checkCounts() {
        inAll("partitionsPerTopic", workload.partitionsPerTopic(), "topics × partitionsPerTopic", 1);
        inAll("producersPerTopic", workload.producersPerTopic(), "topics × producersPerTopic", 1);
        inAll(
                "consumerPerSubscription",
                workload.consumerPerSubscription(),
                "topics × subscriptionsPerTopic × consumerPerSubscription",
                workload.subscriptionsPerTopic());
    }

    private void inAll(String key, long value, String product, long factor) {
        problems.require(
                (double) value * factor * workload.topics() <= MAX_COUNT_IN_ALL,
                key,
                product + " must be at most " + MAX_COUNT_IN_ALL,
                value);
    }

    private void checkPayloads() {
        if (workload.useRandomizedPayloads()) {
            int poolSize = workload.randomizedPayloadPoolSize();
            problems.require(
                    poolSize >= 1, "randomizedPayloadPoolSize", "must be a number from 1 to 1000000", poolSize);
            problems.require(
                    (long) poolSize * workload.messageSize() <= MAX_PAYLOAD_POOL_BYTES,
                    "randomizedPayloadPoolSize",
                    "must be at most " + MAX_PAYLOAD_POOL_BYTES + " bytes when multiplied by messageSize",
                    poolSize);
        }
        RecordFormat records = workload.payloadRecords();
        problems.require(
                records == null || workload.payloadFile() != null,
                "payloadRecords",
                "needs a payloadFile, which has the records",
                records);
        problems.require(
                records == null || !workload.useRandomizedPayloads(),
                "payloadRecords",
                "must be absent with useRandomizedPayloads, which generates the payloads",
                records);
        needsRecords("padRecordsTo", workload.padRecordsTo());
        needsRecords("skipRecordsBelow", workload.skipRecordsBelow());
    }

    private void needsRecords(String key, int bytes) {
        problems.require(bytes == 0 || workload.payloadRecords() != null, key, "needs payloadRecords", bytes);
    }

    private void checkSizes() {
        List<SizeShare> sizes = workload.messageSizeDistribution();
        if (sizes == null || workload.payloadRecords() != null) {
            return;
        }
        String key = "messageSizeDistribution";
        problems.require(
                !sizes.isEmpty() && sizes.size() <= MAX_SIZES,
                key,
                "must have 1 to " + MAX_SIZES + " sizes",
                sizes.size());
        double weights = sizes.stream().mapToDouble(SizeShare::weight).sum();
        for (int i = 0; i < sizes.size(); i++) {
            double weight = sizes.get(i).weight();
            problems.require(
                    weight >= RAREST_SIZE * weights,
                    key + "[" + i + "].weight",
                    "must be at least a ten-thousandth of all weights together",
                    weight);
        }
    }

    private void checkBacklog() {
        if (!workload.buildsBacklog()) {
            return;
        }
        String key = "consumerBacklogSizeGB";
        long backlogGb = workload.consumerBacklogSizeGB();
        problems.require(
                workload.messageRate() instanceof Fixed,
                key,
                "needs a constant producerRate, not " + workload.producerRate(),
                backlogGb);
        problems.require(workload.hasConsumers(), key, NEEDS_CONSUMERS, backlogGb);
        excludes("messageCount", workload.messageCount(), key);
    }

    private void checkTimes() {
        problems.require(
                workload.testTime().isPresent() || workload.messageCount() != null || workload.consumesOnly(),
                "testDuration",
                "a run needs testDuration, testDurationMinutes or messageCount",
                null);
        problems.require(
                workload.sendWithin() == null || workload.messageCount() != null,
                "sendWithin",
                "needs messageCount, the number of messages to send in that time",
                formatted(workload.sendWithin()));
        problems.require(
                workload.warmupUntilSteady() == null || !workload.warmupTime().isZero(),
                "warmupUntilSteady",
                "needs a warmupDuration above 0, the longest that the warm-up may take",
                String.valueOf(workload.warmupUntilSteady()));
    }

    private void checkRate() {
        ProducerRate rate = workload.messageRate();
        if (rate instanceof MaxSustainable) {
            excludes("messageCount", workload.messageCount(), "producerRate: 0, whose search has no fixed length");
        }
        if (rate instanceof Fixed fixed && workload.producerRate() instanceof ProducerRate.Bytes) {
            problems.require(
                    ProducerRate.isPossible(fixed.messagesPerSecond()),
                    "producerRate",
                    "must be from 0.001 to 1000000000 messages a second of messageSize",
                    workload.producerRate().toString());
        }
        problems.require(
                workload.arrivals() == ArrivalProcess.CONSTANT
                        || !(rate instanceof Unlimited || rate instanceof MaxSustainable),
                "arrivals",
                "needs a producerRate, a producerRateSchedule or a rateSweep, not producerRate: " + rate,
                workload.arrivals());
    }

    private void checkSchedule() {
        List<RateStretch> stretches = workload.schedule();
        String key = "producerRateSchedule";
        problems.require(
                workload.producerRateSchedule() == null || !stretches.isEmpty(),
                key,
                "must have at least one stretch",
                "an empty list");
        for (int i = 0; i < stretches.size(); i++) {
            double rate = stretches.get(i).messagesPerSecond(workload.meanMessageBytes());
            problems.require(
                    rate == 0 || ProducerRate.isPossible(rate) || workload.messageSize() < 1,
                    key + "[" + i + "].rate",
                    "must be 0 or from 0.001 to 1000000000 messages a second",
                    String.valueOf(stretches.get(i).rate()));
        }
        if (workload.rateSweep() != null) {
            workload.rateSweep().checkSpan(workload.meanMessageBytes(), problems.below("rateSweep"));
        }
    }

    private void checkSteps(String key, @Nullable StepPlan steps) {
        if (steps == null) {
            return;
        }
        problems.require(
                !(workload.producerRate() instanceof MaxSustainable),
                key,
                "needs a producerRate, such as unlimited: otherwise each step would need a search of its own",
                "a mapping");
        problems.require(!workload.buildsBacklog(), key, "must be absent with consumerBacklogSizeGB", "a mapping");
    }

    private void checkJoiningConsumers() {
        if (workload.consumerSteps() != null) {
            problems.require(
                    workload.subscriptionsPerTopic() != 0,
                    "consumerSteps",
                    "needs subscriptionsPerTopic of at least 1",
                    "a mapping");
            needsBytes(
                    problems, "consumerSteps", FULL_HEADER_BYTES, "whose numbers a consumer that joins later can read");
        }
    }

    private void checkAbortRules() {
        Map<String, String> rules = workload.abortWhen();
        if (rules != null) {
            AbortRules.of(rules, problems.below("abortWhen"));
            problems.require(
                    workload.steps().isPresent(), "abortWhen", "needs producerSteps or consumerSteps", "a mapping");
        }
    }

    private void checkSlo() {
        Map<String, String> slo = workload.slo();
        if (slo == null) {
            return;
        }
        problems.require(!slo.isEmpty(), "slo", "must have at least one latency", "an empty mapping");
        Problems within = problems.below("slo");
        FaultBounds.of(slo, within);
        for (String key : FaultBounds.KEYS) {
            within.require(
                    !slo.containsKey(key) || !workload.faultsInOrder().isEmpty(), key, "needs faults", slo.get(key));
        }
        for (LatencyBound bound : LatencyBound.of(slo, FaultBounds.KEYS, within)) {
            within.require(
                    workload.hasConsumers() || !bound.isOfArrivals(),
                    bound.key(),
                    NEEDS_CONSUMERS,
                    slo.get(bound.key()));
            if (bound.latency() == Latency.SCHEDULED_END_TO_END) {
                needsBytes(within, bound.key(), FULL_HEADER_BYTES, "which carry their intended send time");
            }
        }
    }

    private void checkConsumerDelay() {
        Duration delay = workload.consumerDelay();
        problems.require(
                delay == null || delay.isZero() || workload.hasConsumers(),
                "consumerDelay",
                NEEDS_CONSUMERS,
                formatted(delay));
    }

    private void checkVerification() {
        if (workload.verifyPayloads()) {
            needsBytes(problems, "verifyPayloads", CHECKED_BYTES, "which have room for a whole header and checksums");
            problems.require(workload.hasConsumers(), "verifyPayloads", NEEDS_CONSUMERS, true);
        }
    }

    private void checkFaults() {
        List<Fault> faults = workload.faultsInOrder();
        if (faults.isEmpty()) {
            problems.require(workload.faults() == null, "faults", "must have at least one fault", "an empty list");
            return;
        }
        needsBytes(problems, "faults", FULL_HEADER_BYTES, "which carry their intended send time");
        problems.require(!workload.buildsBacklog(), "faults", "must be absent with consumerBacklogSizeGB", "a list");
        problems.require(
                workload.messageRate() instanceof Fixed fixed && fixed.messagesPerSecond() >= LEAST_RATE_WITH_FAULTS,
                "faults",
                "needs a producerRate of at least " + LEAST_RATE_WITH_FAULTS
                        + " messages a second: messages sent are compared with messages due",
                "a list");
        problems.require(
                (long) workload.topics() * workload.producersPerTopic() <= MOST_PRODUCERS_WITH_FAULTS,
                "faults",
                "needs at most " + MOST_PRODUCERS_WITH_FAULTS
                        + " producers, since each of them is counted every 100 ms",
                "a list");
        checkWorkers(faults);
        Duration free = Duration.ZERO;
        for (int i = 0; i < faults.size(); i++) {
            Fault fault = faults.get(i);
            Problems within = problems.below("faults[" + i + "]");
            within.require(
                    fault.begin().compareTo(free) >= 0,
                    "at",
                    "must be when the previous fault has ended, at " + DurationText.format(free) + " or later",
                    formatted(fault.begin()));
            free = fault.end();
            checkBesideDelays(within, fault);
        }
        Duration last = free;
        boolean endsAtOnce = faults.get(faults.size() - 1).endsWorker();
        workload.testTime()
                .ifPresent(time -> problems.require(
                        last.compareTo(time) < (endsAtOnce ? 0 : 1),
                        "faults[" + (faults.size() - 1) + "]",
                        "must end within the measurement, which lasts " + DurationText.format(time),
                        "until " + DurationText.format(last)));
    }

    private void checkWorkers(List<Fault> faults) {
        Set<OptionalInt> gone = new HashSet<>();
        for (int i = 0; i < faults.size(); i++) {
            Fault fault = faults.get(i);
            problems.below("faults[" + i + "]")
                    .require(
                            !gone.contains(fault.worker()),
                            fault.kind().key(),
                            "must be another worker: an earlier fault kills this one",
                            fault.target());
            if (fault.endsWorker()) {
                gone.add(fault.worker());
            }
        }
    }

    /** The relay that adds delays accepts connections for a node even if the node is down. */
    private void checkBesideDelays(Problems within, Fault fault) {
        boolean delays = workload.faultsInOrder().stream().anyMatch(each -> each.kind() == Fault.Type.DELAY);
        within.require(
                !delays
                        || fault.kind() == Fault.Type.DELAY
                        || fault.kind() == Fault.Type.RUN
                        || fault.worker().isPresent(),
                fault.kind().key(),
                "must be absent with delay, which routes connections through a relay that hides how a node ends: use"
                        + " a separate workload",
                fault.target());
    }

    /**
     * Skips invalid sizes, which are a problem of their own; for records, the check of the file reports those that are
     * too small.
     */
    private void needsBytes(Problems found, String key, int bytes, String reason) {
        if (workload.payloadRecords() != null) {
            least = bytes > least.bytes() ? new PayloadFile.Least(bytes, reason + ", as " + key + " needs") : least;
            return;
        }
        int smallest = workload.smallestMessageBytes();
        found.require(
                smallest >= bytes || smallest < 1,
                key,
                "needs messages of at least " + bytes + " bytes, " + reason,
                smallest);
    }

    private static @Nullable String formatted(@Nullable Duration duration) {
        return duration == null ? null : DurationText.format(duration);
    }

    private void excludes(String key, @Nullable Object value, String other) {
        problems.require(value == null, key, "must be absent with " + other, value);
    }
}
