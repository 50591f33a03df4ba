package io.openmessaging.benchmark.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** Tests that each test of the contract passes with a driver that fulfills it and fails with one that does not. */
class DriverContractTestTest {

    private static final Map<Class<?>, Class<?>> CONTRACTS =
            Map.of(DriverContractTest.class, TinyContract.class, ClientContractTest.class, TinyClientContract.class);

    private static Events run(Defect defect, List<? extends DiscoverySelector> selectors) {
        TinyContract.defect = defect;
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectors.toArray(DiscoverySelector[]::new))
                .execute()
                .testEvents();
    }

    private static List<String> testNames(Events events) {
        return events.stream()
                .map(Event::getTestDescriptor)
                .map(d -> d.getLegacyReportingName().replace("()", ""))
                .toList();
    }

    private static Set<String> contractTests() {
        return CONTRACTS.keySet().stream()
                .flatMap(contract -> testsOf(contract).stream())
                .collect(Collectors.toSet());
    }

    private static Set<String> testsOf(Class<?> contract) {
        return Arrays.stream(contract.getDeclaredMethods())
                .filter(m -> m.isAnnotationPresent(Test.class))
                .map(m -> m.getName())
                .collect(Collectors.toSet());
    }

    private static Class<?> tinyContractWith(String test) {
        return CONTRACTS.entrySet().stream()
                .filter(contract -> testsOf(contract.getKey()).contains(test))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    void aDriverThatKeepsTheContractPasses() {
        Events events =
                run(Defect.NONE, List.of(selectClass(TinyContract.class), selectClass(TinyClientContract.class)));
        assertThat(testNames(events.succeeded())).containsExactlyInAnyOrderElementsOf(contractTests());
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void aDefectIsNoticed(Defect defect) {
        Events events = run(
                defect,
                defect.noticedBy().stream()
                        .map(test -> selectMethod(tinyContractWith(test), test))
                        .toList());
        assertThat(testNames(events.failed())).containsExactlyInAnyOrderElementsOf(defect.noticedBy());
    }

    @Test
    void eachTestOfTheContractNoticesADefect() {
        Set<String> proven = Arrays.stream(Defect.values())
                .flatMap(d -> d.noticedBy().stream())
                .collect(Collectors.toSet());
        assertThat(proven).isEqualTo(contractTests());
    }
}
