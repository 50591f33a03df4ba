package io.openmessaging.benchmark.driver.inmemory;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.DriverFile;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InMemoryConfigTest {

    private static List<String> problems(Checked config) {
        Problems problems = new Problems();
        config.check(problems);
        return problems.found().stream().map(Problems.Problem::toString).toList();
    }

    private static List<String> problems(FaultsOf faults) {
        return problems(faults.build());
    }

    @Test
    void absentKeysGetTheirDefaults() throws Exception {
        // As the framework calls it; a direct call with null would not compile here.
        Object config = InMemoryConfig.class.getConstructors()[0].newInstance(null, null, null, null, null, null);
        assertThat(config).isEqualTo(InMemoryConfig.of(Delivery.DIRECT));
        Object faults =
                Faults.class.getConstructors()[0].newInstance(0, null, 0, null, 0, null, 0, null, 0, null, 0, 0, 0, 0);
        assertThat(faults).isEqualTo(Faults.NONE);
    }

    @Test
    void theDefaultsAreFine() {
        assertThat(problems(InMemoryConfig.of(Delivery.DIRECT))).isEmpty();
        assertThat(problems(InMemoryConfig.of(Delivery.QUEUED))).isEmpty();
    }

    @Test
    void limitsAreChecked() {
        assertThat(problems(new InMemoryConfig(Delivery.QUEUED, 3, 0L, Duration.ZERO, Duration.ZERO, Faults.NONE)))
                .containsExactly(
                        "queueCapacity: must be from 4 to 16777216, got 3",
                        "maxBacklogBytes: must be at least 1, got 0");
    }

    @Test
    void delaysAreChecked() {
        InMemoryConfig negative =
                new InMemoryConfig(Delivery.QUEUED, 4, 1L, Duration.ofMillis(-1), Duration.ofMillis(-2), Faults.NONE);
        assertThat(problems(negative))
                .containsExactly(
                        "ackDelay: must not be negative, got '-1ms'",
                        "deliveryDelay: must not be negative, got '-2ms'");
        InMemoryConfig direct =
                new InMemoryConfig(Delivery.DIRECT, 4, 1L, Duration.ofMillis(1), Duration.ZERO, Faults.NONE);
        assertThat(problems(direct)).containsExactly("ackDelay: must be 0 unless delivery is QUEUED, got '1ms'");
    }

    @Test
    void faultsAreChecked() {
        FaultsOf negative = FaultsOf.none()
                .loseEvery(-1)
                .duplicateEvery(-2)
                .swapEvery(-3)
                .damageEvery(-9)
                .failEvery(-4)
                .failAfter(-5)
                .pollErrorEvery(-6)
                .fatalAfter(-7)
                .onlyPayloadBytes(-8);
        assertThat(problems(negative))
                .containsExactly(
                        "loseEvery: must not be negative, got -1",
                        "duplicateEvery: must not be negative, got -2",
                        "swapEvery: must not be negative, got -3",
                        "damageEvery: must not be negative, got -9",
                        "failEvery: must not be negative, got -4",
                        "failAfter: must not be negative, got -5",
                        "pollErrorEvery: must not be negative, got -6",
                        "fatalAfter: must not be negative, got -7",
                        "onlyPayloadBytes: must not be negative, got -8");
        assertThat(problems(FaultsOf.none().lose(1L, -1L).duplicate(1L).fail(1L, 2L, 2L)))
                .containsExactly(
                        "lose: must hold message indexes from 0, got -1",
                        "duplicate: must not hold an index that lose holds already, got 1",
                        "fail: must not hold an index twice, got 2");
    }

    @ParameterizedTest
    @CsvSource({"inmemory.yaml, DIRECT", "inmemory-queued.yaml, QUEUED"})
    void theFileHasEveryKeyOnce(String file, Delivery delivery) {
        Map<String, Object> yaml = DriverFile.named(file).keys().toObject();
        assertThat(yaml.remove("name")).isEqualTo(file.replace(".yaml", ""));
        assertThat(yaml.remove("driverClass")).isEqualTo(InMemoryBenchmarkDriver.class.getName());
        assertThat(yaml.keySet()).containsExactlyElementsOf(components(InMemoryConfig.class));
        assertThat(yaml.get("delivery")).isEqualTo(delivery.name());
        assertThat(yaml.get("faults"))
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .containsOnlyKeys(components(Faults.class));
    }

    private static List<String> components(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }
}
