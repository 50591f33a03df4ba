package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.config.ProducerRate.Fixed;
import io.openmessaging.benchmark.driver.Problems;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What must hold for the values of a workload. The limits are far beyond any run: they catch slips. */
final class WorkloadRules {

    private static final int MAX_COUNT = 1_000_000;
    private static final int MAX_COUNT_IN_ALL = 10_000_000;
    static final int MAX_MESSAGE_BYTES = 256 << 20;
    private static final int MAX_PAYLOAD_POOL_BYTES = 256 << 20;
    private static final int MAX_BACKLOG_GB = 1_000_000;
    private static final long MAX_MESSAGES = 1_000_000_000_000L;
    private static final Duration MAX_DURATION = Duration.ofDays(30);
    private static final Duration MIN_DURATION = Duration.ofSeconds(1);
    private static final Duration MIN_SAMPLE_PERIOD = Duration.ofMillis(100);
    private static final Duration MAX_SAMPLE_PERIOD = Duration.ofHours(1);

    private final Workload workload;
    private final Problems problems;

    WorkloadRules(Workload workload, Problems problems) {
        this.workload = workload;
        this.problems = problems;
    }

    void check() {
        problems.require(!workload.name().isBlank(), "name", "must not be blank", workload.name());
        checkTopics();
        checkPayload();
        checkClients();
        checkBacklog();
        checkTimes();
        checkMessageCount();
    }

    private void checkTopics() {
        range("topics", workload.topics(), 1, MAX_COUNT);
        range("partitionsPerTopic", workload.partitionsPerTopic(), 1, MAX_COUNT);
        inAll("partitionsPerTopic", workload.partitionsPerTopic(), "topics × partitionsPerTopic", 1);
    }

    private void checkPayload() {
        if (workload.messageSizeDistribution() == null) {
            range("messageSize", workload.messageSize(), 1, MAX_MESSAGE_BYTES);
        }
        double ratio = workload.randomBytesRatio();
        problems.require(ratio >= 0 && ratio <= 1, "randomBytesRatio", "must be from 0 to 1", ratio);
        int poolSize = workload.randomizedPayloadPoolSize();
        if (!workload.useRandomizedPayloads()) {
            range("randomizedPayloadPoolSize", poolSize, 0, MAX_COUNT);
            return;
        }
        range("randomizedPayloadPoolSize", poolSize, 1, MAX_COUNT);
        problems.require(
                poolSize > MAX_COUNT || (long) poolSize * workload.messageSize() <= MAX_PAYLOAD_POOL_BYTES,
                "randomizedPayloadPoolSize",
                "must be at most " + MAX_PAYLOAD_POOL_BYTES + " bytes when multiplied by messageSize",
                poolSize);
    }

    private void checkClients() {
        int subscriptions = workload.subscriptionsPerTopic();
        int consumers = workload.consumerPerSubscription();
        range("subscriptionsPerTopic", subscriptions, 0, MAX_COUNT);
        if (workload.producerSteps() == null || workload.producerSteps().isSound()) {
            range("producersPerTopic", workload.producersPerTopic(), 1, MAX_COUNT);
        }
        inAll("producersPerTopic", workload.producersPerTopic(), "topics × producersPerTopic", 1);
        if (workload.consumerSteps() == null || workload.consumerSteps().isSound()) {
            range("consumerPerSubscription", consumers, 0, MAX_COUNT);
        }
        inAll(
                "consumerPerSubscription",
                consumers,
                "topics × subscriptionsPerTopic × consumerPerSubscription",
                Math.max(0, subscriptions));
    }

    private void checkBacklog() {
        long backlogGb = workload.consumerBacklogSizeGB();
        range("consumerBacklogSizeGB", backlogGb, 0, MAX_BACKLOG_GB);
        double ratio = workload.backlogDrainRatio();
        problems.require(ratio >= 0 && ratio <= 1, "backlogDrainRatio", "must be from 0 to 1", ratio);
        if (backlogGb <= 0) {
            return;
        }
        problems.require(
                workload.messageRate() instanceof Fixed,
                "consumerBacklogSizeGB",
                "needs a constant producerRate, not " + workload.producerRate(),
                backlogGb);
        problems.require(
                workload.hasConsumers(),
                "consumerBacklogSizeGB",
                "needs consumers: subscriptionsPerTopic and consumerPerSubscription of at least 1",
                backlogGb);
        excludes("messageCount", workload.messageCount(), "consumerBacklogSizeGB");
    }

    private void checkTimes() {
        eitherOr("testDuration", workload.testDuration(), "testDurationMinutes", workload.testDurationMinutes());
        eitherOr(
                "warmupDuration", workload.warmupDuration(), "warmupDurationMinutes", workload.warmupDurationMinutes());
        minutes("testDurationMinutes", workload.testDurationMinutes(), 1);
        minutes("warmupDurationMinutes", workload.warmupDurationMinutes(), 0);
        range("testDuration", workload.testDuration(), MIN_DURATION, MAX_DURATION);
        range("warmupDuration", workload.warmupDuration(), Duration.ZERO, MAX_DURATION);
        range("searchStep", workload.searchStep(), MIN_DURATION, MAX_DURATION);
        range("samplePeriod", workload.samplePeriod(), MIN_SAMPLE_PERIOD, MAX_SAMPLE_PERIOD);
        if (!workload.resourcePeriod().isZero()) {
            range("resourcePeriod", workload.resourcePeriod(), MIN_SAMPLE_PERIOD, MAX_SAMPLE_PERIOD);
        }
        problems.require(
                workload.testTime().isPresent() || workload.messageCount() != null,
                "testDuration",
                "a run needs testDuration, testDurationMinutes or messageCount",
                null);
    }

    private void checkMessageCount() {
        Long count = workload.messageCount();
        if (count != null) {
            range("messageCount", count, 1, MAX_MESSAGES);
        }
    }

    private void range(String key, long value, long least, long most) {
        problems.require(value >= least && value <= most, key, "must be a number from " + least + " to " + most, value);
    }

    private void range(String key, @Nullable Duration value, Duration least, Duration most) {
        if (value != null) {
            checkDuration(key, value, least, most, problems);
        }
    }

    /** Notes a stretch of a measurement that is too short or too long. */
    static void checkDuration(String key, Duration value, Problems problems) {
        checkDuration(key, value, MIN_DURATION, MAX_DURATION, problems);
    }

    static void checkDuration(String key, Duration value, Duration least, Duration most, Problems problems) {
        problems.require(
                value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                key,
                "must be from " + DurationText.format(least) + " to " + DurationText.format(most),
                DurationText.format(value));
    }

    private void minutes(String key, @Nullable Integer value, int least) {
        if (value != null) {
            range(key, value, least, MAX_DURATION.toMinutes());
        }
    }

    /** A value that is out of range by itself is not reported a second time. */
    private void inAll(String key, long value, String product, long factor) {
        problems.require(
                value > MAX_COUNT || (double) value * factor * workload.topics() <= MAX_COUNT_IN_ALL,
                key,
                product + " must be at most " + MAX_COUNT_IN_ALL,
                value);
    }

    private void eitherOr(String key, @Nullable Duration value, String otherKey, @Nullable Integer otherValue) {
        problems.require(
                value == null || otherValue == null,
                key,
                "must be absent with " + otherKey + ", which says the same",
                value == null ? null : DurationText.format(value));
    }

    private void excludes(String key, @Nullable Object value, String other) {
        problems.require(value == null, key, "must be absent with " + other, value);
    }
}
