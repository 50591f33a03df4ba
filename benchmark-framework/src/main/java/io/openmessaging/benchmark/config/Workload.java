package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.config.ProducerRate.MaxSustainable;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is sent and received, how fast and for how long. Component names are the keys of a workload file. All of OMB's
 * keys are here with OMB's meaning and default; {@code testDuration}, {@code warmupDuration}, {@code messageCount},
 * {@code samplePeriod}, {@code resourcePeriod} and {@code producerRate: unlimited} are ours.
 *
 * <p>Where OMB lets an absent count be 0 and starts a run without topics, producers or consumers, the count is required
 * here.
 *
 * @param name what the result calls the workload; the file's name without its extension, if absent
 * @param topics how many topics are created
 * @param partitionsPerTopic how many partitions each topic has
 * @param keyDistributor which keys messages have, none by default
 * @param messageSize bytes of each payload, the harness' header included
 * @param useRandomizedPayloads whether payloads are made of random bytes and zeros; false by default
 * @param randomBytesRatio with randomized payloads: the random part of each, from 0 to 1; 0 by default
 * @param randomizedPayloadPoolSize with randomized payloads: how many different ones are sent in turn
 * @param payloadFile a file with the payload, of exactly {@code messageSize} bytes; not looked at with randomized
 *     payloads, as in OMB; without either, a text is generated
 * @param subscriptionsPerTopic how many subscriptions each topic has, each of which gets every message; 0 to send only
 * @param producersPerTopic how many producers each topic has
 * @param consumerPerSubscription how many consumers share a subscription; 0 to send only
 * @param producerRate messages a second of all producers together; by default 0, as in OMB: the rate is searched for
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
        Duration resourcePeriod)
        implements Checked {

    /** Breaks the rule of a count that must be there, which is then reported as missing. */
    private static final int ABSENT = -1;

    private static final Duration DEFAULT_SAMPLE_PERIOD = Duration.ofSeconds(10);
    private static final Duration DEFAULT_RESOURCE_PERIOD = Duration.ofSeconds(1);
    private static final Duration DEFAULT_WARMUP = Duration.ofMinutes(1);

    public Workload {
        name = name == null ? "" : name;
        keyDistributor = keyDistributor == null ? KeyDistribution.NO_KEY : keyDistributor;
        subscriptionsPerTopic = subscriptionsPerTopic == null ? ABSENT : subscriptionsPerTopic;
        consumerPerSubscription = consumerPerSubscription == null ? ABSENT : consumerPerSubscription;
        producerRate = producerRate == null ? new MaxSustainable() : producerRate;
        backlogDrainRatio = backlogDrainRatio == null ? 1.0 : backlogDrainRatio;
        samplePeriod = samplePeriod == null ? DEFAULT_SAMPLE_PERIOD : samplePeriod;
        resourcePeriod = resourcePeriod == null ? DEFAULT_RESOURCE_PERIOD : resourcePeriod;
    }

    /** How long is measured at most; empty if only {@link #messageCount()} ends the measurement. */
    public Optional<Duration> testTime() {
        return Optional.ofNullable(
                testDurationMinutes == null ? testDuration : Duration.ofMinutes(testDurationMinutes));
    }

    /** How long messages flow before the measurement. */
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
    }
}
