package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SamplingMonitorTest {

    private static final double EXACTLY = 1e-9;

    private final AtomicLong nowNs = new AtomicLong(1_000);
    private final EnumMap<Figure, Double> figures = new EnumMap<>(Figure.class);
    private final ResourceProbe probe = new ResourceProbe() {
        @Override
        public String name() {
            return "node";
        }

        @Override
        public Role role() {
            return Role.BROKER;
        }

        @Override
        public EnumMap<Figure, Double> read() {
            return new EnumMap<>(figures);
        }
    };
    private final SamplingMonitor monitor = SamplingMonitor.stepwise(List.of(probe), nowNs::get);

    private void read(double afterSeconds, Map<Figure, Double> now) {
        nowNs.addAndGet(Math.round(afterSeconds * 1e9));
        figures.clear();
        figures.putAll(now);
        monitor.read();
    }

    private FigureUse endPeriod(Figure figure) {
        return monitor.sample().uses().get(0).figure(figure).orElseThrow();
    }

    @Test
    void processorTimeIsItsGrowthInPercentOfAProcessor() {
        read(0, Map.of(Figure.CPU_CORE_PERCENT, 5e9));
        read(1, Map.of(Figure.CPU_CORE_PERCENT, 5.5e9));
        read(1, Map.of(Figure.CPU_CORE_PERCENT, 7e9));

        FigureUse cpu = endPeriod(Figure.CPU_CORE_PERCENT);
        assertThat(cpu.mean()).isCloseTo(100, within(EXACTLY));
        assertThat(cpu.max()).isCloseTo(150, within(EXACTLY));
        assertThat(cpu.seconds()).isCloseTo(2, within(EXACTLY));
    }

    @Test
    void aLevelIsWeightedByTheTimeItHeld() {
        read(0, Map.of(Figure.RESIDENT_BYTES, 1.0));
        read(1, Map.of(Figure.RESIDENT_BYTES, 100.0));
        read(3, Map.of(Figure.RESIDENT_BYTES, 200.0));

        FigureUse memory = endPeriod(Figure.RESIDENT_BYTES);
        assertThat(memory.mean()).isCloseTo(175, within(EXACTLY));
        assertThat(memory.max()).isEqualTo(200);
    }

    @Test
    void aPeriodBeginsWhereTheOneBeforeItEnded() {
        read(0, Map.of(Figure.DISK_WRITTEN_BYTES_PER_SEC, 0.0));
        read(1, Map.of(Figure.DISK_WRITTEN_BYTES_PER_SEC, 1000.0));
        ResourcePeriod first = monitor.sample();
        read(1, Map.of(Figure.DISK_WRITTEN_BYTES_PER_SEC, 4000.0));
        ResourcePeriod second = monitor.sample();

        FigureUse both = first.followedBy(second)
                .uses()
                .get(0)
                .figure(Figure.DISK_WRITTEN_BYTES_PER_SEC)
                .orElseThrow();
        assertThat(both.mean()).isCloseTo(2000, within(EXACTLY));
        assertThat(both.max()).isCloseTo(3000, within(EXACTLY));
    }

    @Test
    void theEndOfAPeriodIsReadAsWell() {
        read(0, Map.of(Figure.CPU_CORE_PERCENT, 0.0));
        nowNs.addAndGet(500_000_000);
        figures.put(Figure.CPU_CORE_PERCENT, 0.25e9);

        assertThat(endPeriod(Figure.CPU_CORE_PERCENT).mean()).isCloseTo(50, within(EXACTLY));
    }

    @Test
    void aCountThatStartsAnewIsNotNegative() {
        read(0, Map.of(Figure.CPU_CORE_PERCENT, 5e9));
        read(1, Map.of(Figure.CPU_CORE_PERCENT, 1e9));
        read(1, Map.of(Figure.CPU_CORE_PERCENT, 1.5e9));

        FigureUse cpu = endPeriod(Figure.CPU_CORE_PERCENT);
        assertThat(cpu.mean()).isCloseTo(50, within(EXACTLY));
        assertThat(cpu.seconds()).isCloseTo(1, within(EXACTLY));
    }

    @Test
    void whatIsNotReadEveryTimeIsSpreadOverTheTimeBetween() {
        read(0, Map.of(Figure.COLLECTIONS_PER_SEC, 10.0));
        read(1, Map.of());
        read(1, Map.of(Figure.COLLECTIONS_PER_SEC, 14.0));

        assertThat(endPeriod(Figure.COLLECTIONS_PER_SEC).mean()).isCloseTo(2, within(EXACTLY));
    }

    @Test
    void whatCouldNotBeReadIsAbsent() {
        read(0, Map.of());
        read(1, Map.of());

        assertThat(monitor.sample().uses().get(0).figures()).isEmpty();
    }

    @Test
    void readsOnAThreadOfItsOwnAndClosesItsProbes() throws InterruptedException {
        CountDownLatch readings = new CountDownLatch(3);
        CountDownLatch closed = new CountDownLatch(1);
        ResourceProbe counting = new ResourceProbe() {
            @Override
            public String name() {
                return "counting";
            }

            @Override
            public Role role() {
                return Role.HOST;
            }

            @Override
            public EnumMap<Figure, Double> read() {
                readings.countDown();
                throw new IllegalStateException("a probe that fails is read again all the same");
            }

            @Override
            public void close() {
                closed.countDown();
            }
        };
        try (SamplingMonitor running = SamplingMonitor.start(List.of(counting), Duration.ofMillis(5))) {
            assertThat(readings.await(10, TimeUnit.SECONDS))
                    .as("three readings")
                    .isTrue();
            assertThat(running.sample().uses()).hasSize(1);
        }
        assertThat(closed.getCount()).isZero();
    }
}
