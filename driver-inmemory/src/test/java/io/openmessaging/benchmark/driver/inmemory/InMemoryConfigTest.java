package io.openmessaging.benchmark.driver.inmemory;

import static io.openmessaging.benchmark.driver.testkit.config.DriverConfigs.problemsOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
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

    private static List<String> problems(FaultsOf faults) {
        return problemsOf(faults.build());
    }

    @Test
    void absentKeysGetTheirDefaults() {
        assertThat(DriverConfigs.bind(InMemoryConfig.class, "")).isEqualTo(InMemoryConfig.of(Delivery.DIRECT));
    }

    @Test
    void theDefaultsAreFine() {
        assertThat(problemsOf(InMemoryConfig.of(Delivery.DIRECT))).isEmpty();
        assertThat(problemsOf(InMemoryConfig.of(Delivery.QUEUED))).isEmpty();
    }

    @Test
    void limitsAreChecked() {
        assertThat(problemsOf(new InMemoryConfig(Delivery.QUEUED, 3, 0L, Duration.ZERO, Duration.ZERO, Faults.NONE)))
                .containsExactly(
                        "queueCapacity: must be a number from 4 to 16777216, got 3",
                        "maxBacklogBytes: must be at least 1, got 0");
    }

    @Test
    void delaysNeedAQueue() {
        InMemoryConfig direct =
                new InMemoryConfig(Delivery.DIRECT, 4, 1L, Duration.ofMillis(1), Duration.ZERO, Faults.NONE);
        assertThat(problemsOf(direct)).containsExactly("ackDelay: must be 0 unless delivery is QUEUED, got '1ms'");
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
                        "loseEvery: must be at least 0, got -1",
                        "duplicateEvery: must be at least 0, got -2",
                        "swapEvery: must be at least 0, got -3",
                        "damageEvery: must be at least 0, got -9",
                        "failEvery: must be at least 0, got -4",
                        "failAfter: must be at least 0, got -5",
                        "pollErrorEvery: must be at least 0, got -6",
                        "fatalAfter: must be at least 0, got -7",
                        "onlyPayloadBytes: must be at least 0, got -8");
        assertThat(problems(FaultsOf.none().lose(1L, -1L).duplicate(1L).fail(1L, 2L, 2L)))
                .containsExactly(
                        "lose: must hold message indexes from 0, got -1",
                        "duplicate: must not hold an index that lose holds already, got 1",
                        "fail: must not hold an index twice, got 2");
    }

    @ParameterizedTest
    @CsvSource({"inmemory.yaml, DIRECT", "inmemory-queued.yaml, QUEUED"})
    void theFileHasEveryKeyOnce(String file, Delivery delivery) {
        Map<String, Object> yaml = ShippedDriverFile.named(file).keys().toObject();
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
