package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ResourcePeriodTest {

    private static ResourceUse use(String name, Role role, Figure figure, double value) {
        return new ResourceUse(name, role, Map.of(figure, new FigureUse(1, value, value)));
    }

    private static final ResourceUse BROKER = use("kafka-1", Role.BROKER, Figure.CPU_CORE_PERCENT, 50);
    private static final ResourceUse HARNESS = use("harness", Role.HARNESS, Figure.CPU_CORE_PERCENT, 3);
    private static final ResourceUse HOST = use("host", Role.HOST, Figure.HOST_IDLE_PERCENT, 90);
    private static final ResourceUse WORKER = use("worker 1 (b)", Role.HARNESS, Figure.CPU_CORE_PERCENT, 70);
    private static final ResourceUse OTHER_HOST = use("host of worker 1 (b)", Role.HOST, Figure.HOST_IDLE_PERCENT, 40);
    private static final ResourcePeriod OWN = new ResourcePeriod(List.of(BROKER, HARNESS, HOST));

    @Test
    void aProcessThatTellsWorkersWhatToDoIsNoHarness() {
        ResourcePeriod all = OWN.with(new ResourcePeriod(List.of(WORKER, OTHER_HOST)));
        assertThat(all.uses())
                .containsExactly(
                        BROKER,
                        use("coordinator", Role.COORDINATOR, Figure.CPU_CORE_PERCENT, 3),
                        HOST,
                        WORKER,
                        OTHER_HOST);
        assertThat(all.sum(Role.HARNESS, Figure.CPU_CORE_PERCENT)).hasValue(70);
        assertThat(all.least(Role.HOST, Figure.HOST_IDLE_PERCENT)).hasValue(40);
    }

    @Test
    void aProcessThatDoesTheWorkItselfIsTheHarness() {
        assertThat(OWN.with(ResourcePeriod.NONE)).isEqualTo(OWN);
    }

    @Test
    void theLeastOfNothingIsUnknown() {
        assertThat(OWN.least(Role.BROKER, Figure.HOST_IDLE_PERCENT)).isEqualTo(OptionalDouble.empty());
    }
}
