package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.measure.CollectorWork;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SamplingMonitorTest {

    private static final double EXACTLY = 1e-9;

    private final AtomicLong nowNs = new AtomicLong(1_000);
    private final EnumMap<Figure, Double> figures = new EnumMap<>(Figure.class);
    private final Map<String, CollectorWork> collectors = new HashMap<>();
    private final ResourceProbe probe = new ResourceProbe("node", Role.BROKER) {
        @Override
        public EnumMap<Figure, Double> read() {
            return new EnumMap<>(figures);
        }

        @Override
        public Map<String, CollectorWork> collectors() {
            return Map.copyOf(collectors);
        }
    };
    private final SamplingMonitor monitor = SamplingMonitor.stepwise(List.of(probe), 4, nowNs::get);

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

    /** The machine has four processors; usage beyond that in one reading counts in the next. */
    @Test
    void moreThanTheMachineHasIsNeverUsed() {
        read(0, Map.of(Figure.CPU_CORE_PERCENT, 0.0, Figure.HOST_IDLE_PERCENT, 0.0));
        read(1, Map.of(Figure.CPU_CORE_PERCENT, 4.5e9, Figure.HOST_IDLE_PERCENT, 1010.0));
        read(1, Map.of(Figure.CPU_CORE_PERCENT, 7e9, Figure.HOST_IDLE_PERCENT, 1500.0));

        ResourceUse used = monitor.sample().uses().get(0);
        FigureUse cpu = used.figure(Figure.CPU_CORE_PERCENT).orElseThrow();
        assertThat(cpu.max()).isCloseTo(400, within(EXACTLY));
        assertThat(cpu.mean()).isCloseTo(350, within(EXACTLY));
        assertThat(used.figure(Figure.HOST_IDLE_PERCENT).orElseThrow().max()).isCloseTo(100, within(EXACTLY));
    }

    /** The growth of two seconds does not count as that of one because its figures arrive late. */
    @Test
    void figuresOfSomebodyElseCountByTheTimeOfTheirAnswer() {
        AtomicLong answeredNs = new AtomicLong();
        ResourceProbe late = new ResourceProbe("node", Role.BROKER) {
            @Override
            public EnumMap<Figure, Double> read() {
                return new EnumMap<>(figures);
            }

            @Override
            long asOfNs(long readNs) {
                return answeredNs.get();
            }
        };
        SamplingMonitor polled = SamplingMonitor.stepwise(List.of(late), 1, nowNs::get);
        for (double answeredS : new double[] {0, 1.9, 2.1}) {
            answeredNs.set(Math.round(answeredS * 1e9));
            figures.put(Figure.DISK_READ_BYTES_PER_SEC, 1000 * answeredS);
            polled.read();
            nowNs.addAndGet(1_000_000_000);
        }
        FigureUse use = polled.sample()
                .uses()
                .get(0)
                .figure(Figure.DISK_READ_BYTES_PER_SEC)
                .orElseThrow();
        assertThat(use.max()).isCloseTo(1000, within(1e-6));
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
    void aPeriodThatIsBegunHasNothingOfWhatWasBeforeIt() {
        read(0, Map.of(Figure.CPU_CORE_PERCENT, 0.0));
        collectors.put("G1", new CollectorWork(1, 10));
        read(10, Map.of(Figure.CPU_CORE_PERCENT, 3e9));
        // The process is busy until 50 ms after a reading, when the period starts.
        nowNs.addAndGet(50_000_000);
        figures.put(Figure.CPU_CORE_PERCENT, 3.05e9);
        collectors.put("G1", new CollectorWork(31, 310));
        monitor.begin();
        collectors.put("G1", new CollectorWork(61, 610));
        read(1, Map.of(Figure.CPU_CORE_PERCENT, 4.005e9));

        ResourceUse used = monitor.sample().uses().get(0);
        assertThat(used.figure(Figure.CPU_CORE_PERCENT).orElseThrow().mean()).isCloseTo(95.5, within(EXACTLY));
        assertThat(used.collectors()).containsEntry("G1", new CollectorWork(30, 300));
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
    void collectorsAreCountedFromTheFirstReadingOn() {
        collectors.put("young", new CollectorWork(10, 100));
        read(0, Map.of());
        collectors.put("young", new CollectorWork(12, 130));
        collectors.put("old", new CollectorWork(1, 7));
        ResourcePeriod first = monitor.sample();
        collectors.put("young", new CollectorWork(13, 131));
        collectors.put("old", new CollectorWork(2, 9));
        ResourcePeriod second = monitor.sample();

        assertThat(first.uses().get(0).collectors())
                .isEqualTo(Map.of("young", new CollectorWork(2, 30), "old", CollectorWork.NONE));
        assertThat(first.followedBy(second).uses().get(0).collectors())
                .isEqualTo(Map.of("young", new CollectorWork(3, 31), "old", new CollectorWork(1, 2)));
    }

    @Test
    void theCollectorsOfAProcessThatStartsAnewCountFromZero() {
        collectors.put("young", new CollectorWork(10, 100));
        read(0, Map.of());
        collectors.put("young", new CollectorWork(3, 20));

        assertThat(monitor.sample().uses().get(0).collectors()).isEqualTo(Map.of("young", new CollectorWork(3, 20)));
    }

    @Test
    void twoWaysToReadAProcessAreOneEntry() {
        ResourceProbe other = new ResourceProbe("other", Role.HOST) {
            @Override
            public EnumMap<Figure, Double> read() {
                return new EnumMap<>(Map.of(Figure.THREADS, 5.0, Figure.HEAP_USED_BYTES, 7.0));
            }

            @Override
            public Optional<String> problem() {
                return Optional.of("the other has a problem");
            }
        };
        SamplingMonitor joined = SamplingMonitor.stepwise(List.of(probe, other), 4, nowNs::get);
        figures.put(Figure.THREADS, 3.0);
        collectors.put("young", new CollectorWork(10, 100));
        joined.read();
        nowNs.addAndGet(1_000_000_000);

        ResourceUse used = joined.sample().uses().get(0);
        assertThat(used.name()).isEqualTo("node");
        assertThat(used.role()).isEqualTo(Role.BROKER);
        assertThat(used.figures())
                .isEqualTo(Map.of(Figure.THREADS, FigureUse.of(3, 1), Figure.HEAP_USED_BYTES, FigureUse.of(7, 1)));
        assertThat(used.collectors()).containsOnlyKeys("young");
        assertThat(joined.problems()).containsExactly("the other has a problem");
    }

    @Test
    void whatIsKnownBeforehandIsAProblem() {
        try (SamplingMonitor running = SamplingMonitor.ofThisMachine(
                Map.of(), name -> false, List.of(), List.of("no exporter"), Duration.ofSeconds(1))) {
            assertThat(running.problems()).containsExactly("no exporter");
        }
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
        ResourceProbe counting = new ResourceProbe("counting", Role.HOST) {
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
        try (SamplingMonitor running =
                SamplingMonitor.start(List.of(List.of(counting)), List.of(), 1, Duration.ofMillis(5))) {
            Patience.await("three readings", readings);
            assertThat(running.sample().uses()).hasSize(1);
        }
        assertThat(closed.getCount()).isZero();
    }
}
