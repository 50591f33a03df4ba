package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeScaleTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private Mapping yaml(String text) throws Exception {
        Path file = folder.resolve("file.yaml");
        Files.writeString(file, text);
        return YamlFile.read(file).root();
    }

    private Object scaled(double factor, String text, String key) throws Exception {
        return String.valueOf(new TimeScale(factor).of(yaml(text)).toObject().get(key));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "testDuration: 5m          | testDuration   | 6s",
                "testDuration: 30s         | testDuration   | 1s",
                "testDurationMinutes: 15   | testDuration   | 18s",
                "testDurationMinutes: 15   | testDurationMinutes | null",
                "warmupDuration: 0s        | warmupDuration | 0s",
                "warmupDurationMinutes: 10 | warmupDuration | 12s",
                "topics: 1                 | warmupDuration | 1s200ms",
                "topics: 1                 | samplePeriod   | 250ms",
                "topics: 1                 | searchStep     | 1s",
                "searchStep: 2m            | searchStep     | 2s400ms",
                "searchDuration: 10m       | searchDuration | 12s",
                "samplePeriod: 1m          | samplePeriod   | 1s200ms",
                "resourcePeriod: 0s        | resourcePeriod | 0s",
                "messageCount: 1_000_000   | messageCount   | 20000",
                "messageCount: 1000        | messageCount   | 100",
                "messageCount: 7           | messageCount   | 7",
                "sendWithin: 10s           | sendWithin     | 200ms",
                "producerRate: 1000        | producerRate   | 1000",
                "consumerDelay: 10s        | consumerDelay  | 10s",
                "messageSize: 1000         | messageSize    | 1000",
                "testDuration: soon        | testDuration   | soon",
            })
    void whatTakesTimeIsShortenedAndNothingElse(String text, String key, String expected) throws Exception {
        assertThat(scaled(0.02, text, key)).isEqualTo(expected);
    }

    @Test
    void durationsWithinListsAndMappingsAreShortenedToo() throws Exception {
        assertThat(scaled(
                        0.1,
                        "producerRateSchedule: [{duration: 1m, rate: 1000}, {duration: 5m, rate: 9, ramp: linear}]",
                        "producerRateSchedule"))
                .isEqualTo("[{duration=6s, rate=1000}, {duration=30s, rate=9, ramp=linear}]");
        assertThat(scaled(0.1, "producerSteps: {from: 2, to: 64, by: 2, every: 2m}", "producerSteps"))
                .isEqualTo("{from=2, to=64, by=2, every=12s}");
        assertThat(scaled(0.1, "rateSweep: {from: 2, to: 64, steps: 6, each: 30s}", "rateSweep"))
                .isEqualTo("{from=2, to=64, steps=6, each=3s}");
    }

    @Test
    void theFullScaleLeavesTheFileAsItIs() throws Exception {
        Mapping workload = yaml("topics: 1\ntestDurationMinutes: 5\n");
        assertThat(TimeScale.FULL.of(workload)).isSameAs(workload);
        assertThat(TimeScale.FULL.shortens()).isFalse();
    }

    @Test
    void aCoolDownMayBecomeAsShortAsItWill() {
        assertThat(new TimeScale(0.01).of(Duration.ofSeconds(60))).isEqualTo(Duration.ofMillis(600));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
    void otherFactorsAreRefused(double factor) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TimeScale(factor))
                .withMessageStartingWith("must be a number above 0 and up to 1, got ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "testDurationMinutes: 5 | testDuration: 30s | {testDuration=30s}",
                "testDuration: 5m | topics: 2 | {testDuration=5m, topics=2}",
                "testDuration: 5m | testDuration: | {testDuration=null}",
                "producerRate: 5 | producerRateSchedule: [] | {producerRateSchedule=[]}",
                "{testDuration: 5m, producerRate: 2} | rateSweep: {} | {rateSweep={}}",
                "{testDuration: 5m, producersPerTopic: 2} | producerSteps: {} | {producerSteps={}}",
                "messageSizeDistribution: [] | messageSize: 10 | {messageSize=10}",
                "messageCount: 5 | rateSweep: {} | {rateSweep={}}",
                "producerRateSchedule: [] | testDuration: 5m | {producerRateSchedule=[], testDuration=5m}",
            })
    void anUpperKeyTakesAwayWhatItExcludes(String lower, String upper, String expected) throws Exception {
        assertThat(WorkloadKeys.over(yaml(lower), yaml(upper)).toObject()).hasToString(expected);
    }
}
