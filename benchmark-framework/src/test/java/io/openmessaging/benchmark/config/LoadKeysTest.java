package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.config.ProducerRate.Fixed;
import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.metric.LatencyFigure;
import io.openmessaging.benchmark.metric.Weakness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the keys that shape a load and of the messages about bad values. An empty value removes the key. */
class LoadKeysTest {

    @TempDir
    Path folder;

    private Workload read(String... lines) throws ConfigException, IOException {
        return WorkloadFile.read(write(lines), folder).workload();
    }

    private Path write(String... lines) throws IOException {
        Map<String, String> keys = new LinkedHashMap<>();
        String least = "topics: 1|partitionsPerTopic: 1|messageSize: 100|subscriptionsPerTopic: 1"
                + "|consumerPerSubscription: 1|producersPerTopic: 1|producerRate: 1000|testDuration: 10s";
        Stream.concat(Stream.of(least.split("\\|")), Stream.of(lines)).forEach(line -> {
            int colon = line.indexOf(':');
            keys.put(line.substring(0, colon), line.substring(colon + 1));
        });
        String yaml = keys.entrySet().stream()
                .filter(entry -> !entry.getValue().isBlank())
                .map(entry -> entry.getKey() + ":" + entry.getValue() + "\n")
                .collect(Collectors.joining());
        return Files.writeString(folder.resolve("load.yaml"), yaml);
    }

    private void refuses(String message, String... lines) throws IOException {
        Path file = write(lines);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> WorkloadFile.read(file, folder))
                .withMessage(file + ": " + message.replace("\n", "\n" + file + ": "));
    }

    @Test
    void weaknessesAreExpectedByName() throws Exception {
        assertThat(read("expect: [backlog, failure]").expect()).containsExactly(Weakness.BACKLOG, Weakness.FAILURE);
        refuses("expect[1]: must be one of backlog, targetRateMissed, failure, got 'slow'", "expect: [backlog, slow]");
        refuses(
                "expect: must be absent with producerRate: 0, which searches for the rate, got [backlog]",
                "expect: [backlog]",
                "producerRate: 0");
    }

    @Test
    void areAllAbsentByDefault() throws Exception {
        Workload workload = read();
        assertThat(workload.schedule()).isEmpty();
        assertThat(workload.steps()).isEmpty();
        assertThat(workload.sloBounds()).isEmpty();
        assertThat(workload.arrivals()).isEqualTo(ArrivalProcess.CONSTANT);
        assertThat(workload.consumerDelay()).isNull();
        assertThat(workload.inFlightLimit()).isNull();
        assertThat(workload.warmupUntilSteady()).isNull();
        assertThat(workload.meanMessageBytes()).isEqualTo(100);
        assertThat(workload.smallestMessageBytes()).isEqualTo(100);
        assertThat(workload.messageRate()).isEqualTo(new Fixed(1000));
    }

    @Test
    void payloadsThatAreVerifiedHaveRoomForChecksumsAndSomebodyToVerifyThem() throws Exception {
        assertThat(read().verifyPayloads()).isFalse();
        assertThat(read("verifyPayloads: true", "messageSize: 40").verifyPayloads())
                .isTrue();
        refuses(
                "verifyPayloads: needs messages of at least 40 bytes, which have room for a whole header and checksums,"
                        + " got 39",
                "verifyPayloads: true",
                "messageSize:",
                "messageSizeDistribution: [{size: 1000, weight: 1}, {size: 39, weight: 1}]");
        refuses(
                "verifyPayloads: needs consumers: subscriptionsPerTopic and consumerPerSubscription of at least 1, got"
                        + " true",
                "verifyPayloads: true",
                "consumerPerSubscription: 0");
    }

    @Test
    void eachRepetitionHasASeedOfItsOwn() throws Exception {
        assertThat(read().seedOf(1)).isEqualTo(1);
        assertThat(read().seedOf(3)).isEqualTo(3);
        assertThat(read("seed: 42").seedOf(1)).isEqualTo(42);
        assertThat(read("seed: 42").seedOf(3)).isEqualTo(44);
        assertThat(read("seed: 0").seedOf(1)).isZero();
        refuses("seed: must be a number from 0 to 1000000000000000, got -1", "seed: -1");
    }

    @ParameterizedTest
    @CsvSource({
        "10 MB/s, 100000",
        "1.5kB/s, 15",
        "2 GB/s, 20000000",
        "100 B/s, 1",
        "1 KiB/s, 10.24",
        "1 MiB/s, 10485.76",
        "1 GiB/s, 10737418.24",
    })
    void aRateInBytesIsOneInMessagesOfThatSize(String rate, double messagesPerSecond) throws Exception {
        Workload workload = read("producerRate: " + rate);
        assertThat(workload.messageRate()).isEqualTo(new Fixed(messagesPerSecond));
        assertThat(ProducerRate.parse(workload.producerRate().toString())).isEqualTo(workload.producerRate());
    }

    @ParameterizedTest
    @CsvSource({"10 mb/s", "10 MB", "MB/s", "-1 MB/s", "0 MB/s", "10 Mbit/s"})
    void refusesOtherUnits(String rate) throws Exception {
        refuses(
                "producerRate: must be messages a second from 0.001 to 1000000000, bytes such as 10 MB/s,"
                        + " 0 (find the highest sustainable rate) or unlimited, got '" + rate + "'",
                "producerRate: " + rate);
    }

    @Test
    void refusesARateInBytesThatIsLessThanAMessageInAQuarterOfAnHour() throws Exception {
        refuses(
                "producerRate: must be from 0.001 to 1000000000 messages a second of messageSize, got '1 B/s'",
                "producerRate: 1 B/s",
                "messageSize: 100000");
    }

    @Test
    void aScheduleHasStretchesAndTheTimeOfAllOfThem() throws Exception {
        Workload workload = read(
                "producerRate:",
                "testDuration:",
                "producerRateSchedule: [{duration: 1m, rate: 1000}, {duration: 5m, rate: 2 MB/s, ramp: linear},"
                        + " {duration: 30s, rate: 0}]");
        assertThat(workload.schedule())
                .extracting(RateStretch::ramp)
                .containsExactly(Ramp.STEP, Ramp.LINEAR, Ramp.STEP);
        assertThat(workload.schedule().stream().map(stretch -> stretch.messagesPerSecond(100)))
                .containsExactly(1000.0, 20_000.0, 0.0);
        assertThat(workload.testTime()).contains(Duration.ofSeconds(390));
        assertThat(workload.messageRate()).hasToString("given by producerRateSchedule");
    }

    @Test
    void refusesABadSchedule() throws Exception {
        refuses(
                "producerRateSchedule: must have at least one stretch, got 'an empty list'",
                "producerRate:",
                "testDuration:",
                "producerRateSchedule: []");
        refuses(
                "producerRateSchedule[0].duration: is missing, a stretch needs one, such as 30s\n"
                        + "producerRateSchedule[0].rate: is missing, a stretch needs one: messages a second, or bytes such as 10 MB/s\n"
                        + "producerRateSchedule[1].ramp: must be one of STEP, LINEAR, got 'steep'\n"
                        + "producerRateSchedule[2].rate: must be a number or bytes such as 10 MB/s, got 'unlimited'\n"
                        + "producerRateSchedule[3].duration: must be from 1s to 30d, got '500ms'",
                "producerRate:",
                "testDuration:",
                "producerRateSchedule: [{}, {duration: 1s, rate: 5, ramp: steep}, {duration: 1s, rate: unlimited},"
                        + " {duration: 500ms, rate: 1}]");
        refuses(
                "producerRateSchedule[0]: unknown key".replace("]:", "].rat:") + ", did you mean 'rate'?",
                "producerRate:",
                "testDuration:",
                "producerRateSchedule: [{duration: 1m, rat: 1}]");
    }

    @Test
    void aScheduleExcludesWhatItSaysItself() throws Exception {
        refuses(
                "producerRate: must be absent with producerRateSchedule, which sets the rates, got 1000\n"
                        + "testDuration: must be absent with producerRateSchedule, which sets the durations, got '10s'\n"
                        + "messageCount: must be absent with producerRateSchedule, which sets durations, got 5",
                "messageCount: 5",
                "producerRateSchedule: [{duration: 1m, rate: 1}]");
    }

    @Test
    void stepsHaveTheirNumbersAndTime() throws Exception {
        Workload workload = read(
                "producersPerTopic:",
                "testDuration:",
                "producerRate: unlimited",
                "producerSteps: {from: 2, to: 9, by: 3, every: 2m}",
                "abortWhen: {endToEndLatency99pct: 10s, publishLatencyAvg: 5ms, publishErrorRatio: 0.01,"
                        + " consumeToPublishRatio: 0.5, throughputDrop: 0.2}");
        assertThat(workload.steps().orElseThrow().counts()).containsExactly(2, 5, 8);
        assertThat(workload.producersPerTopic()).isEqualTo(8);
        assertThat(workload.testTime()).contains(Duration.ofMinutes(6));
        AbortRules rules = workload.abortRules();
        assertThat(rules.latencies())
                .containsExactly(
                        new LatencyBound(
                                "endToEndLatency99pct",
                                Latency.END_TO_END,
                                new LatencyFigure("99pct", 99),
                                Duration.ofSeconds(10)),
                        new LatencyBound(
                                "publishLatencyAvg",
                                Latency.PUBLISH,
                                new LatencyFigure("Avg", Double.NaN),
                                Duration.ofMillis(5)));
        assertThat(rules.publishErrorRatio()).hasValue(0.01);
        assertThat(rules.consumeToPublishRatio()).hasValue(0.5);
        assertThat(rules.throughputDrop()).hasValue(0.2);
    }

    @Test
    void consumersMayGrowToo() throws Exception {
        Workload workload =
                read("consumerPerSubscription:", "testDuration:", "consumerSteps: {from: 1, to: 3, every: 10s}");
        assertThat(workload.steps().orElseThrow().counts()).containsExactly(1, 2, 3);
        assertThat(workload.consumerPerSubscription()).isEqualTo(3);
        assertThat(workload.hasConsumers()).isTrue();
        assertThat(workload.abortRules()).isEqualTo(AbortRules.NONE);
    }

    @Test
    void refusesBadSteps() throws Exception {
        refuses(
                "producerSteps.from: is missing, must be at least 1, the number of clients of the first step\n"
                        + "producerSteps.every: is missing, the steps need a length, such as 2m",
                "producersPerTopic:",
                "testDuration:",
                "producerSteps: {to: 5}");
        refuses(
                "producerSteps.by: must be at least 1, got 0\nproducerSteps.to: must be at least from, got 2",
                "testDuration:",
                "producerSteps: {from: 4, to: 2, by: 0, every: 1m}");
    }

    @Test
    void stepsExcludeWhatTheySayThemselves() throws Exception {
        refuses(
                "producersPerTopic: must be absent with producerSteps, which sets the numbers, got 1\n"
                        + "testDuration: must be absent with producerSteps, which sets the durations, got '10s'",
                "producerSteps: {from: 1, to: 2, every: 1m}");
        refuses(
                "producerSteps: needs a producerRate, such as unlimited: otherwise each step would need a search"
                        + " of its own, got 'a mapping'",
                "producersPerTopic:",
                "testDuration:",
                "producerRate: 0",
                "producerSteps: {from: 1, to: 2, every: 1m}");
        refuses(
                "consumerSteps: must be absent with producerSteps: only one number can grow in a run, got a mapping",
                "producersPerTopic:",
                "consumerPerSubscription:",
                "testDuration:",
                "producerSteps: {from: 1, to: 2, every: 1m}",
                "consumerSteps: {from: 1, to: 2, every: 1m}");
        refuses(
                "consumerSteps: needs messages of at least 32 bytes, whose numbers a consumer that joins later can read,"
                        + " got 10",
                "messageSize: 10",
                "consumerPerSubscription:",
                "testDuration:",
                "consumerSteps: {from: 1, to: 2, every: 1m}");
    }

    @Test
    void refusesBadRules() throws Exception {
        refuses(
                "abortWhen.endToEndLatency98pct: unknown key, did you mean 'endToEndLatency95pct'?\n"
                        + "abortWhen.endToEndLatencyMax: " + DurationText.RULE + ", above 0, got '10'\n"
                        + "abortWhen.publishErrorRatio: must be a number from 0 to less than 1, got '5'\n"
                        + "abortWhen: needs producerSteps or consumerSteps, got 'a mapping'",
                "abortWhen: {endToEndLatency98pct: 10s, publishErrorRatio: 5, endToEndLatencyMax: 10}");
    }

    @Test
    void aSweepHasGeometricRates() throws Exception {
        Workload workload = read(
                "producerRate:", "testDuration:", "rateSweep: {from: 1000, to: 64000, steps: 7, each: 30s, beyond: 2}");
        SweepPlan steps = Objects.requireNonNull(workload.rateSweep());
        assertThat(steps.rates(100)).hasSize(7).last().isEqualTo(64_000.0);
        assertThat(steps.rates(100).get(3)).isCloseTo(8000, within(1e-6));
        assertThat(steps.further()).isEqualTo(2);
        assertThat(workload.testTime()).contains(Duration.ofSeconds(7 * 42));
        assertThat(workload.messageRate()).hasToString("given by rateSweep");

        assertThat(sweep("{from: 1000, to: 64000, factor: 2, each: 30s}").rates(100))
                .containsExactly(1000.0, 2000.0, 4000.0, 8000.0, 16_000.0, 32_000.0, 64_000.0);
        assertThat(sweep("{from: 1000, to: 10000, factor: 3, each: 30s}").rates(100))
                .containsExactly(1000.0, 3000.0, 9000.0);
        assertThat(sweep("{from: 1 MB/s, to: 2 MB/s, steps: 2, each: 30s}").rates(100))
                .containsExactly(10_000.0, 20_000.0);
    }

    private SweepPlan sweep(String plan) throws Exception {
        return Objects.requireNonNull(
                read("producerRate:", "testDuration:", "rateSweep: " + plan).rateSweep());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{to: 10, steps: 2, each: 1s}                | from: is missing, must be messages a second, or bytes such as 10 MB/s",
                "{from: 0, to: 10, steps: 2, each: 1s}       | from: must be messages a second, or bytes such as 10 MB/s, got '0'",
                "{from: 1, to: unlimited, steps: 2, each: 1s} | to: must be messages a second, or bytes such as 10 MB/s, got 'unlimited'",
                "{from: 20, to: 10, steps: 2, each: 1s}      | to: must be above from, which is 20, got '10'",
                "{from: 1 kB/s, to: 10, steps: 2, each: 1s}  | to: must be above from, which is 1 kB/s, got '10'",
                "{from: 1, to: 10, each: 1s}                 | steps: is missing, the sweep needs a number of rates, such as 7, or factor, such as 2",
                "{from: 1, to: 10, steps: 2, factor: 2, each: 1s} | factor: must be absent with steps, which has the same purpose, got 2.0",
                "{from: 1, to: 10, steps: 1, each: 1s}       | steps: must be a number from 2 to 100, got 1",
                "{from: 1, to: 10, steps: 101, each: 1s}     | steps: must be a number from 2 to 100, got 101",
                "{from: 1, to: 10, factor: 1, each: 1s}      | factor: must be at least 1.01, got 1.0",
                "{from: 1, to: 10, factor: 11, each: 1s}     | factor: must lead from from to to in 2 to 100 rates, got 11.0",
                "{from: 1, to: 1000000, factor: 1.05, each: 1s} | factor: must lead from from to to in 2 to 100 rates, got 1.05",
                "{from: 1, to: 10, steps: 2}                 | each: is missing, the rates need a length, such as 30s",
                "{from: 1, to: 10, steps: 2, each: 10ms}     | each: must be from 1s to 30d, got '10ms'",
                "{from: 1, to: 10, steps: 2, each: 1s, beyond: -1} | beyond: must be a number from 0 to 100, got -1",
                "{from: 1, to: 10, steps: 2, each: 1s, behind: 1} | behind: unknown key, did you mean 'beyond'?",
            })
    void refusesABadSweep(String sweep, String message) throws Exception {
        refuses("rateSweep." + message, "producerRate:", "testDuration:", "rateSweep: " + sweep);
    }

    @Test
    void aSweepExcludesWhatItSaysItself() throws Exception {
        refuses(
                "producerRate: must be absent with rateSweep, which sets the rates, got 1000\n"
                        + "testDuration: must be absent with rateSweep, which sets the durations, got '10s'\n"
                        + "messageCount: must be absent with rateSweep, whose rates have a length, got 5",
                "messageCount: 5",
                "rateSweep: {from: 1, to: 10, steps: 2, each: 1s}");
        refuses(
                "producerRateSchedule: must be absent with rateSweep, which sets the rates, got a list",
                "producerRate:",
                "testDuration:",
                "producerRateSchedule: [{duration: 1m, rate: 1}]",
                "rateSweep: {from: 1, to: 10, steps: 2, each: 1s}");
        refuses(
                "rateSweep: must be absent with producerSteps: only one number can grow in a run, got a mapping",
                "producerRate:",
                "producersPerTopic:",
                "testDuration:",
                "producerSteps: {from: 1, to: 2, every: 1m}",
                "rateSweep: {from: 1, to: 10, steps: 2, each: 1s}");
        refuses(
                "consumerBacklogSizeGB: needs a constant producerRate, not given by rateSweep, got 1",
                "producerRate:",
                "testDuration:",
                "consumerBacklogSizeGB: 1",
                "rateSweep: {from: 1, to: 10, steps: 2, each: 1s}");
        refuses(
                "sendWithin: must be absent with rateSweep, which sets the rates, got '5s'",
                "producerRate:",
                "testDuration:",
                "sendWithin: 5s",
                "rateSweep: {from: 1, to: 10, steps: 2, each: 1s}");
    }

    @Test
    void anSloBoundsLatenciesWhateverTheRate() throws Exception {
        Workload workload = read("producerRate: 0", "slo: {endToEndLatency99pct: 100ms, publishLatency999pct: 1s}");
        assertThat(workload.sloBounds())
                .extracting(LatencyBound::key)
                .containsExactly("endToEndLatency99pct", "publishLatency999pct");
        assertThat(workload.sloBounds())
                .extracting(bound -> bound.figure().samplesNeeded())
                .containsExactly(100L, 1000L);
        assertThat(read("slo: {endToEndLatency99pct: 100ms}").sloBounds()).hasSize(1);
        refuses(
                "slo.endToEndLatency99pct: needs consumers: subscriptionsPerTopic and consumerPerSubscription of at least"
                        + " 1, got '100ms'",
                "subscriptionsPerTopic: 0",
                "slo: {endToEndLatency99pct: 100ms, publishLatency99pct: 100ms}");
        refuses(
                "slo.scheduledEndToEndLatency99pct: needs messages of at least 32 bytes, which carry their intended send"
                        + " time, got 31",
                "messageSize: 31",
                "slo: {endToEndLatency99pct: 100ms, scheduledEndToEndLatency99pct: 100ms}");
        refuses("slo.p99: unknown key, did you mean 'scheduledEndToEndLatency99pct'?", "slo: {p99: 20ms}");
        refuses("slo.p99.9: unknown key, did you mean 'scheduledEndToEndLatency999pct'?", "slo: {p99.9: 20ms}");
        refuses("slo: must have at least one latency, got 'an empty mapping'", "producerRate: 0", "slo: {}");
        refuses(
                "slo.endToEndLatency: unknown key, did you mean 'endToEndLatencyAvg'?",
                "producerRate: 0",
                "slo: {endToEndLatency: 1s}");
    }

    @Test
    void aBurstHasTheRateThatItNeeds() throws Exception {
        Workload workload = read("producerRate:", "testDuration:", "messageCount: 100_000", "sendWithin: 10s");
        assertThat(workload.messageRate()).isEqualTo(new Fixed(10_000));
        assertThat(workload.testTime()).isEmpty();
        refuses(
                "sendWithin: needs messageCount, the number of messages to send in that time, got '10s'",
                "producerRate:",
                "sendWithin: 10s");
        refuses(
                "producerRate: must be absent with sendWithin, which sets the rate together with messageCount, got 1000",
                "messageCount: 100",
                "sendWithin: 10s");
    }

    @Test
    void sizesHaveWeights() throws Exception {
        Workload workload = read(
                "messageSize:",
                "producerRate: 37 kB/s",
                "messageSizeDistribution: [{size: 100, weight: 70}, {size: 1000, weight: 30}]");
        assertThat(workload.meanMessageBytes()).isCloseTo(370, within(1e-9));
        assertThat(workload.messageSize()).isEqualTo(370);
        assertThat(workload.smallestMessageBytes()).isEqualTo(100);
        assertThat(((Fixed) workload.messageRate()).messagesPerSecond()).isCloseTo(100, within(1e-9));
    }

    @Test
    void refusesBadSizes() throws Exception {
        refuses(
                "messageSizeDistribution[0].size: is missing, must be a number from 1 to 268435456\n"
                        + "messageSizeDistribution[1].weight: is missing, must be above 0",
                "messageSize:",
                "messageSizeDistribution: [{weight: 1}, {size: 5}]");
        refuses(
                "messageSizeDistribution[1].weight: must be at least a ten-thousandth of all weights together, got 1.0",
                "messageSize:",
                "messageSizeDistribution: [{size: 10, weight: 100000}, {size: 5, weight: 1}]");
        refuses(
                "messageSize: must be absent with messageSizeDistribution, which sets the sizes, got 100",
                "messageSizeDistribution: [{size: 10, weight: 1}]");
    }

    @Test
    void theRestOfTheKeys() throws Exception {
        Workload workload = read(
                "arrivals: poisson",
                "keyDistributor: zipf",
                "consumerDelay: 1ms",
                "inFlightLimit: 1000",
                "warmupUntilSteady: 5%");
        assertThat(workload.arrivals()).isEqualTo(ArrivalProcess.POISSON);
        assertThat(workload.keyDistributor()).isEqualTo(KeyDistribution.ZIPF);
        assertThat(workload.consumerDelay()).isEqualTo(Duration.ofMillis(1));
        assertThat(workload.inFlightLimit()).isEqualTo(1000);
        assertThat(workload.warmupUntilSteady())
                .isEqualTo(Percentage.parse("5%"))
                .hasToString("5%");
    }

    @Test
    void refusesTheirBadValues() throws Exception {
        refuses(
                "arrivals: needs a producerRate, a producerRateSchedule or a rateSweep, not producerRate: unlimited, got"
                        + " POISSON",
                "producerRate: unlimited",
                "arrivals: POISSON");
        refuses("arrivals: must be one of CONSTANT, POISSON, got 'uniform'", "arrivals: uniform");
        refuses("consumerDelay: must be from 1ms to 10s, got '1m'", "consumerDelay: 1m");
        refuses("inFlightLimit: must be a number from 1 to 1000000, got 0", "inFlightLimit: 0");
        refuses(
                "warmupUntilSteady: must be a percentage above 0% and up to 100%, such as 5%, got 0.05",
                "warmupUntilSteady: 0.05");
        refuses(
                "warmupUntilSteady: needs a warmupDuration above 0, the longest that the warm-up may take, got '5%'",
                "warmupUntilSteady: 5%", "warmupDuration: 0s");
    }
}
