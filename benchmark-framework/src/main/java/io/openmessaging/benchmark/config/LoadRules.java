package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.config.ProducerRate.Fixed;
import io.openmessaging.benchmark.config.ProducerRate.MaxSustainable;
import io.openmessaging.benchmark.config.ProducerRate.Unlimited;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.load.Arrivals;
import io.openmessaging.benchmark.measure.Latency;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What must hold for the shape of a load: its rate over time, its clients, its messages. */
final class LoadRules {

    private static final int MAX_IN_FLIGHT = 1_000_000;
    private static final int MAX_SIZES = 1000;

    /** A rarer size would be none of the messages: as finely as this are they mixed. */
    private static final double RAREST_SIZE = 0.0001;

    /** From this size on a header has a whole sequence number, by which any consumer can tell which message it is. */
    private static final int FULL_HEADER_BYTES = 32;

    /** Exact in every reader of JSON, with room for the repetitions of a plan. */
    private static final long MAX_SEED = 1_000_000_000_000_000L;

    /** With such a header and two checksums. */
    private static final int CHECKED_BYTES = FULL_HEADER_BYTES + 8;

    private static final Duration MIN_DELAY = Duration.ofMillis(1);
    private static final Duration MAX_DELAY = Duration.ofSeconds(10);
    private static final Duration MIN_BURST = Duration.ofMillis(1);
    private static final Duration MAX_BURST = Duration.ofDays(1);

    private final Workload workload;
    private final Problems problems;

    LoadRules(Workload workload, Problems problems) {
        this.workload = workload;
        this.problems = problems;
    }

    void check() {
        checkRate();
        checkSchedule();
        checkSweep();
        checkBurst();
        checkSteps("producerSteps", workload.producerSteps(), "producersPerTopic", workload.producersPerTopic());
        checkSteps(
                "consumerSteps",
                workload.consumerSteps(),
                "consumerPerSubscription",
                workload.consumerPerSubscription());
        checkStepsAndRules();
        checkSlo();
        checkSizes();
        checkClients();
        checkSteadiness();
        checkVerification();
        long seed = workload.seed();
        problems.require(seed >= 0 && seed <= MAX_SEED, "seed", "must be a number from 0 to " + MAX_SEED, seed);
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
                workload.arrivals() == Arrivals.CONSTANT
                        || !(rate instanceof Unlimited || rate instanceof MaxSustainable),
                "arrivals",
                "needs a producerRate, a producerRateSchedule or a rateSweep, not producerRate: " + rate,
                workload.arrivals());
    }

    private void checkSchedule() {
        if (workload.producerRateSchedule() == null) {
            return;
        }
        List<RateStretch> stretches = workload.schedule();
        String key = "producerRateSchedule";
        problems.require(!stretches.isEmpty(), key, "must have at least one stretch", "an empty list");
        if (!(workload.producerRate() instanceof ProducerRate.GivenBy)) {
            excludes("producerRate", workload.producerRate().toString(), key + ", which has the rates");
        }
        excludesTimes(key);
        for (int i = 0; i < stretches.size(); i++) {
            double rate = stretches.get(i).messagesPerSecond(workload.meanMessageBytes());
            problems.require(
                    rate == 0 || ProducerRate.isPossible(rate) || workload.messageSize() < 1,
                    key + "[" + i + "].rate",
                    "must be 0 or from 0.001 to 1000000000 messages a second",
                    String.valueOf(stretches.get(i).rate()));
        }
        excludes("messageCount", workload.messageCount(), key + ", which has durations");
    }

    private void checkSweep() {
        SweepPlan sweep = workload.rateSweep();
        if (sweep == null) {
            return;
        }
        String key = "rateSweep";
        String other = key + ", which has the rates";
        sweep.checkSpan(workload.meanMessageBytes(), problems.below(key));
        if (!(workload.producerRate() instanceof ProducerRate.GivenBy)) {
            excludes("producerRate", workload.producerRate().toString(), other);
        }
        excludes("producerRateSchedule", workload.producerRateSchedule() == null ? null : "a list", other);
        excludes("sendWithin", formatted(workload.sendWithin()), other);
        excludesTimes(key);
        excludes("messageCount", workload.messageCount(), key + ", whose rates have a length");
        excludes(
                key,
                workload.steps().isEmpty() ? null : "a mapping",
                "producerSteps and consumerSteps: one number grows in a run");
    }

    private void excludesTimes(String key) {
        String other = key + ", which has the durations";
        excludes("testDuration", formatted(workload.testDuration()), other);
        excludes("testDurationMinutes", workload.testDurationMinutes(), other);
    }

    private void checkBurst() {
        Duration time = workload.sendWithin();
        if (time == null) {
            return;
        }
        WorkloadRules.checkDuration("sendWithin", time, MIN_BURST, MAX_BURST, problems);
        if (workload.messageCount() == null) {
            problems.add("sendWithin", "needs messageCount, the messages to be sent in that time", formatted(time));
        } else if (!time.isZero()
                && !workload.producerRate().equals(Workload.burst(workload.messageCount(), time))
                && !(workload.producerRate() instanceof ProducerRate.GivenBy)) {
            excludes(
                    "producerRate",
                    workload.producerRate().toString(),
                    "sendWithin, which makes the rate with messageCount");
        }
        excludes(
                "sendWithin", workload.producerRateSchedule() == null ? null : formatted(time), "producerRateSchedule");
    }

    private void checkSteps(String key, @Nullable StepPlan steps, String countKey, int count) {
        if (steps == null || !steps.isSound()) {
            return;
        }
        problems.require(
                count == steps.highest(), countKey, "must be absent with " + key + ", which has the numbers", count);
        excludesTimes(key);
        excludes("messageCount", workload.messageCount(), key);
        excludes(key, workload.producerRateSchedule() == null ? null : "a mapping", "producerRateSchedule");
        problems.require(
                !(workload.producerRate() instanceof MaxSustainable),
                key,
                "needs a producerRate, such as unlimited: a search for it would have to be done for each step",
                "a mapping");
        problems.require(!workload.buildsBacklog(), key, "must be absent with consumerBacklogSizeGB", "a mapping");
    }

    private void checkStepsAndRules() {
        excludes(
                "consumerSteps",
                workload.producerSteps() == null || workload.consumerSteps() == null ? null : "a mapping",
                "producerSteps: one number grows in a run");
        if (workload.consumerSteps() != null) {
            problems.require(
                    workload.subscriptionsPerTopic() != 0,
                    "consumerSteps",
                    "needs subscriptionsPerTopic of at least 1",
                    "a mapping");
            int smallest = workload.smallestMessageBytes();
            problems.require(
                    smallest >= FULL_HEADER_BYTES || smallest < 1,
                    "consumerSteps",
                    "needs messages of at least " + FULL_HEADER_BYTES
                            + " bytes, which a consumer that joins later can number",
                    smallest);
        }
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
        Problems within = problems.below("slo");
        List<LatencyBound> bounds = LatencyBound.of(slo, within);
        problems.require(!slo.isEmpty(), "slo", "must have at least one latency", "an empty mapping");
        boolean consumed = workload.hasConsumers() || workload.consumerPerSubscription() < 0;
        int smallest = workload.smallestMessageBytes();
        for (LatencyBound bound : bounds) {
            within.require(
                    consumed || !bound.isOfArrivals(),
                    bound.key(),
                    "needs consumers: subscriptionsPerTopic and consumerPerSubscription of at least 1",
                    slo.get(bound.key()));
            within.require(
                    bound.latency() != Latency.SCHEDULED_END_TO_END || smallest >= FULL_HEADER_BYTES || smallest < 1,
                    bound.key(),
                    "needs messages of at least " + FULL_HEADER_BYTES + " bytes, which carry their intended send time",
                    smallest);
        }
    }

    private void checkSizes() {
        List<SizeShare> sizes = workload.messageSizeDistribution();
        if (sizes == null) {
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
                    weight <= 0 || weight >= RAREST_SIZE * weights,
                    key + "[" + i + "].weight",
                    "must be at least a ten-thousandth of all weights together",
                    weight);
        }
        problems.require(
                workload.messageSize() == Math.round(workload.meanMessageBytes()),
                "messageSize",
                "must be absent with " + key + ", which has the sizes",
                workload.messageSize());
        excludes("payloadFile", workload.payloadFile(), key);
    }

    private void checkClients() {
        Duration delay = workload.consumerDelay();
        if (delay != null && !delay.isZero()) {
            WorkloadRules.checkDuration("consumerDelay", delay, MIN_DELAY, MAX_DELAY, problems);
            problems.require(
                    workload.hasConsumers() || workload.consumerPerSubscription() < 0,
                    "consumerDelay",
                    "needs consumers: subscriptionsPerTopic and consumerPerSubscription of at least 1",
                    formatted(delay));
        }
        Integer limit = workload.inFlightLimit();
        if (limit != null) {
            problems.require(
                    limit >= 1 && limit <= MAX_IN_FLIGHT,
                    "inFlightLimit",
                    "must be a number from 1 to " + MAX_IN_FLIGHT,
                    limit);
        }
    }

    private void checkSteadiness() {
        problems.require(
                workload.warmupUntilSteady() == null || !workload.warmupTime().isZero(),
                "warmupUntilSteady",
                "needs a warmupDuration above 0, the longest that the warm-up may take",
                String.valueOf(workload.warmupUntilSteady()));
    }

    private void checkVerification() {
        if (!workload.verifyPayloads()) {
            return;
        }
        int smallest = workload.smallestMessageBytes();
        problems.require(
                smallest >= CHECKED_BYTES || smallest < 1,
                "verifyPayloads",
                "needs messages of at least " + CHECKED_BYTES
                        + " bytes, which have room for a whole header and checksums",
                smallest);
        problems.require(
                workload.hasConsumers()
                        || workload.consumerPerSubscription() < 0
                        || workload.subscriptionsPerTopic() < 0,
                "verifyPayloads",
                "needs consumers: subscriptionsPerTopic and consumerPerSubscription of at least 1",
                true);
    }

    private static @Nullable String formatted(@Nullable Duration duration) {
        return duration == null ? null : DurationText.format(duration);
    }

    private void excludes(String key, @Nullable Object value, String other) {
        problems.require(value == null, key, "must be absent with " + other, value);
    }
}
