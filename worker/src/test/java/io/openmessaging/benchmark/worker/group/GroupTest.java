package io.openmessaging.benchmark.worker.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.PayloadSpec;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.CompressedPeriod;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.protocol.ClientOptions;
import io.openmessaging.benchmark.worker.protocol.MessagePlan;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker.Change;
import io.openmessaging.benchmark.worker.protocol.Worker.Failure;
import io.openmessaging.benchmark.worker.protocol.Worker.Lost;
import io.openmessaging.benchmark.worker.protocol.Worker.Marks;
import io.openmessaging.benchmark.worker.protocol.Worker.Period;
import io.openmessaging.benchmark.worker.protocol.Worker.Prepare;
import io.openmessaging.benchmark.worker.protocol.Worker.Prepared;
import io.openmessaging.benchmark.worker.protocol.Worker.Probe;
import io.openmessaging.benchmark.worker.protocol.Worker.Probed;
import io.openmessaging.benchmark.worker.protocol.Worker.Start;
import io.openmessaging.benchmark.worker.protocol.Worker.Status;
import io.openmessaging.benchmark.worker.protocol.Worker.Stop;
import io.openmessaging.benchmark.worker.protocol.WorkerLostException;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a group with workers that answer and with workers that do not. */
class GroupTest {

    private static final long AHEAD_NS = TimeUnit.SECONDS.toNanos(10);
    private static final Topology TOPOLOGY = new Topology("run1", 9, 1, 1, 1, 1);

    private final EpochClock clock = new EpochClock();
    private final List<ScriptedWorker> workers = new ArrayList<>();
    private final List<TestMember> members = new ArrayList<>();
    private final List<String> progress = new CopyOnWriteArrayList<>();
    private Group group = group(TestMember.TIMING);

    /** Creates a group of four workers, whose clocks are ahead and behind in turn. */
    private Group group(Timing timing) {
        workers.clear();
        members.clear();
        for (int i = 0; i < 4; i++) {
            long aheadNs = i % 2 == 0 ? AHEAD_NS : -AHEAD_NS;
            workers.add(new ScriptedWorker(i, aheadNs));
            members.add(new TestMember(i, workers.get(i), new Offset(aheadNs, 50)));
        }
        return new Group(members, Roles.MIXED, false, clock, timing, progress::add);
    }

    @AfterEach
    void close() throws Exception {
        group.close();
    }

    private static Prepare everything() {
        return new Prepare(
                new RunDescription(
                        TestDrivers.DESCRIPTION,
                        TOPOLOGY,
                        new MessagePlan(
                                MessageHeader.Layout.FULL,
                                PayloadSpec.text(100),
                                KeyDistribution.NO_KEY,
                                ArrivalProcess.CONSTANT),
                        ClientOptions.plain(Duration.ofSeconds(1)),
                        new Seed(7),
                        Duration.ZERO,
                        Placement.alone()),
                1,
                1);
    }

    /** Sends the request with this name to the group. */
    private Object request(String name) throws Exception {
        return switch (name) {
            case "prepare" -> group.prepare(everything());
            case "probe" -> group.probe(new Probe(1, null));
            case "start" -> group.start(new Start(1, 0, RateProfile.steady(900), 1000));
            case "change" -> {
                group.change(new Change(0, RateProfile.steady(1800)));
                yield name;
            }
            case "consume" -> {
                group.consume(false);
                yield name;
            }
            case "status" -> group.status();
            case "period" -> group.period(1);
            case "stop" -> group.stop(new Stop(false));
            case "endSearch" -> {
                group.endSearch(new Marks(Map.of()));
                yield name;
            }
            case "finish" -> group.finish();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private void prepareFor(String request) throws Exception {
        if (!request.equals("prepare")) {
            request("prepare");
        }
        if (request.equals("change")) {
            request("start");
        }
    }

    @Test
    void eachHasItsShareOfTopicsAndRatesAndMessages() throws Exception {
        Prepared prepared = group.prepare(everything());
        assertThat(prepared.machines())
                .extracting(WorkerMachine::name)
                .containsExactly("worker 1 (test)", "worker 2 (test)", "worker 3 (test)", "worker 4 (test)");
        request("start");
        request("change");

        long messages = 0;
        List<Double> rates = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RunDescription run = workers.get(i).requests(Prepare.class).get(0).run();
            assertThat(run.placement()).isEqualTo(new Placement(i, 4, 4, 0, 4));
            assertThat(run.producersHere(0, 1)).hasSize(i == 0 ? 3 : 2);
            Start start = workers.get(i).requests(Start.class).get(0);
            rates.add(start.rates().firstMsgPerSec());
            messages += start.messageCount();
            assertThat(workers.get(i).requests(Change.class).get(0).rates().firstMsgPerSec())
                    .isEqualTo(2 * start.rates().firstMsgPerSec());
        }
        assertThat(rates).containsExactly(300.0, 200.0, 200.0, 200.0);
        assertThat(messages).isEqualTo(1000);
    }

    @Test
    void aWorkerWithoutProducersSendsNothingButIsToldOfTheLoad() throws Exception {
        Prepare one = new Prepare(
                new RunDescription(
                        TestDrivers.DESCRIPTION,
                        new Topology("run1", 1, 1, 1, 1, 1),
                        everything().run().messages(),
                        everything().run().clients(),
                        new Seed(7),
                        Duration.ZERO,
                        Placement.alone()),
                1,
                1);
        group.prepare(one);
        group.start(new Start(1, 0, RateProfile.steady(Double.POSITIVE_INFINITY), Long.MAX_VALUE));
        assertThat(workers.get(0).requests(Start.class).get(0).rates().firstMsgPerSec())
                .isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(workers.get(3).requests(Start.class).get(0).rates().firstMsgPerSec())
                .isZero();
    }

    @Test
    void aLoadAndItsChangesHaveOneTimeInTheClockOfEach() throws Exception {
        request("prepare");
        long beforeNs = clock.getAsLong();
        Object startNs = request("start");
        request("change");
        for (long atNs : List.of(atNs(0), atNs(1), atNs(2), atNs(3))) {
            assertThat(atNs).isEqualTo(atNs(0));
        }
        assertThat(atNs(0)).isEqualTo(startNs).isGreaterThan(beforeNs);
        assertThat(changedAtNs(0)).isEqualTo(changedAtNs(3)).isBetween(beforeNs, clock.getAsLong());
        assertThat(workers.get(2).requests(ScriptedWorker.Clocks.class).get(0).ofWorkers())
                .as("clocks are known before the first message")
                .isEqualTo(members.stream().map(TestMember::clock).toList());
        assertThat(workers.get(2).calls()).containsSubsequence("clocks", "start");
    }

    private long atNs(int worker) {
        return workers.get(worker).requests(Start.class).get(0).atNs()
                - members.get(worker).clock().aheadNs();
    }

    private long changedAtNs(int worker) {
        return workers.get(worker).requests(Change.class).get(0).atNs()
                - members.get(worker).clock().aheadNs();
    }

    @Test
    void whatTheyTellIsAddedUpByOneClock() throws Exception {
        request("prepare");
        Probed probed = group.probe(new Probe(1, null));
        BitSet all = new BitSet();
        all.set(0, 4);
        assertThat(probed).isEqualTo(new Probed(all, -1, "worker 2 (test): no leader"));

        Period period = group.period(1);
        assertThat(period.seen().shares()).hasSize(4);
        assertThat(period.seen().startNs()).isZero();
        assertThat(period.seen().endNs()).isEqualTo(1_003_000_000L);
        assertThat(period.seen().publishRate()).isEqualTo(400);
        assertThat(period.seen().secondsOfEach()).isEqualTo(1);
        assertThat(period.unsent()).singleElement().isEqualTo(LatencySnapshot.of(7, 4));
        assertThat(period.seen().ofWorkers()).as("nobody has asked for it").isEmpty();

        Status status = group.status();
        assertThat(status.totals().acknowledged()).isEqualTo(400);
        LoadSpan span = Objects.requireNonNull(status.load().span());
        assertThat(span.firstSentNs()).contains(1_000L);
        assertThat(span.lastSentNs()).contains(1_000_001_003L);
        assertThat(span.lastArrivedNs()).contains(1_000_002_003L);
        assertThat(status.load().beganNs()).isEqualTo(Map.of(0, 1_000L, 1, 1_001L, 2, 1_002L, 3, 1_003L));
        assertThat(status.errors()).containsExactly(Map.entry("send: TimeoutException", 4L));
        assertThat(status.usage()).extracting(HarnessUsage::cpuNs).containsExactly(20L, 21L, 22L, 23L);

        assertThat(group.stop(new Stop(true))).isEqualTo(new Marks(Map.of(0, 0L, 1, 10L, 2, 20L, 3, 30L)));
        assertThat(group.finish().arrivals())
                .extracting(AuditPart.ArrivalCounts::received)
                .containsExactly(0L, 100L, 200L, 300L);
    }

    /** A kind of error keeps its first name, since counts of two moments are subtracted. */
    @Test
    void errorsOfTwoWorkersThatDifferInNumbersAreOfOneKind() throws Exception {
        request("prepare");
        workers.forEach(worker -> worker.errors(Map.of()));
        workers.get(2).errors(Map.of("send: message of 20000096 bytes is larger than 1048576", 3L));
        assertThat(group.status().errors())
                .containsExactly(Map.entry("send: message of 20000096 bytes is larger than 1048576", 3L));
        workers.get(0).errors(Map.of("send: message of 30 bytes is larger than 10", 4L, "send: closed", 1L));
        assertThat(group.status().errors())
                .containsOnly(
                        Map.entry("send: message of 20000096 bytes is larger than 1048576", 7L),
                        Map.entry("send: closed", 1L));
    }

    @Test
    void whatEachOfThemSawIsKeptIfItIsAskedFor() throws Exception {
        group.close();
        group = new Group(members, Roles.MIXED, true, clock, TestMember.TIMING, progress::add);
        request("prepare");
        Period period = group.period(1);
        assertThat(period.unsent()).hasSize(4).containsOnly(LatencySnapshot.of(7, 1));
        List<PeriodSnapshot> each =
                period.seen().ofWorkers().stream().map(CompressedPeriod::open).toList();
        assertThat(each).extracting(PeriodSnapshot::startNs).containsExactly(0L, 1_000_000L, 2_000_000L, 3_000_000L);
        assertThat(each.get(3).latency(Latency.PUBLISH)).isEqualTo(LatencySnapshot.of(4_000_000, 100));
        assertThat(PeriodSnapshot.merged(each).latency(Latency.PUBLISH))
                .isEqualTo(period.seen().latency(Latency.PUBLISH));

        members.get(3).lose("its process was restarted");
        PeriodSnapshot ofLost = group.period(2).seen().ofWorkers().get(3).open();
        assertThat(ofLost.endNs()).isEqualTo(ofLost.startNs());
        assertThat(ofLost.latency(Latency.PUBLISH).count()).isZero();
    }

    /** When the known offset of a clock changes, no time is lost and none is counted twice. */
    @Test
    void aPeriodBeginsWhereTheOneBeforeHasEnded() throws Exception {
        request("prepare");
        PeriodSnapshot first = group.period(1).seen();
        members.get(1).setClock(new Offset(-AHEAD_NS + 5_000, 10));
        PeriodSnapshot second = group.period(2).seen();
        assertThat(second.shares().get(1).startNs())
                .isEqualTo(first.shares().get(1).endNs());
        assertThat(second.shares().get(1).endNs())
                .isEqualTo(first.shares().get(1).endNs() + 1_000_000_000L - 5_000);
        assertThat(first.followedBy(second).counts().acknowledged()).isEqualTo(800);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prepare",
                "probe",
                "start",
                "change",
                "consume",
                "status",
                "period",
                "stop",
                "endSearch",
                "finish"
            })
    void anErrorIsToldWithTheNameOfTheWorker(String request) throws Exception {
        prepareFor(request);
        workers.get(2).on(request, () -> {
            throw new DriverException("Kafka: Topic authorization failed");
        });
        assertThatThrownBy(() -> request(request))
                .isInstanceOf(DriverException.class)
                .hasMessage("worker 3 (test): Kafka: Topic authorization failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"prepare", "probe", "start", "change"})
    void withoutAWorkerThereIsNoRunAndNoLoad(String request) throws Exception {
        prepareFor(request);
        workers.get(2).on(request, () -> {
            members.get(2).lose("its process was restarted");
            new CountDownLatch(1).await();
        });
        assertThatThrownBy(() -> request(request))
                .isInstanceOf(WorkerLostException.class)
                .hasMessageStartingWith("worker 3 (test) was lost while ")
                .hasMessageEndingWith(": its process was restarted");
        // The stop ends what has started at the other workers.
        group.stop(new Stop(false));
        assertThat(workers.get(0).calls()).endsWith("stop");
        assertThat(workers.get(2).calls()).endsWith(request);
    }

    @ParameterizedTest
    @ValueSource(strings = {"consume", "status", "period", "stop", "endSearch", "finish"})
    void theOthersGoOnWithoutALostWorker(String request) throws Exception {
        prepareFor(request);
        request("start");
        group.status();
        workers.get(1).on(request, () -> {
            members.get(1).lose("its process was restarted");
            new CountDownLatch(1).await();
        });
        request(request);

        Status status = group.status();
        assertThat(status.lost())
                .extracting(Lost::worker, Lost::name, Lost::reason)
                .containsExactly(tuple(1, "worker 2 (test)", "its process was restarted"));
        assertThat(status.usage()).hasSize(4);
        int asked = workers.get(1).calls().size();
        group.status();
        group.stop(new Stop(false));
        assertThatThrownBy(() -> group.start(new Start(2, 0, RateProfile.steady(1), 1)))
                .isInstanceOf(WorkerLostException.class);
        group.finish();
        group.close();
        assertThat(workers.get(1).calls()).as("it is asked nothing more").hasSize(asked);
        assertThat(workers.get(3).calls()).endsWith("finish", "close");
    }

    @Test
    void whatALostWorkerHadToldStaysPartOfTheWhole() throws Exception {
        request("prepare");
        PeriodSnapshot first = group.period(1).seen();
        group.status();
        members.get(3).lose("its process was restarted");
        PeriodSnapshot second = group.period(2).seen();
        assertThat(second.shares()).hasSize(4);
        assertThat(second.shares().get(3).counts().acknowledged()).isZero();
        assertThat(second.startNs()).isEqualTo(1_000_000_000L);
        assertThat(second.publishRate()).isEqualTo(300);
        assertThat(second.totals().acknowledged()).isEqualTo(700);
        assertThat(first.followedBy(second).counts().acknowledged()).isEqualTo(700);
        assertThat(group.status().totals().acknowledged()).isEqualTo(700);
        for (TestMember member : members) {
            member.lose("all are gone");
        }
        PeriodSnapshot last = group.period(3).seen();
        assertThat(last.endNs()).isEqualTo(last.startNs());
        assertThat(last.counts().acknowledged()).isZero();
        assertThat(group.status().load().finished()).as("nobody sends any more").isTrue();
        AuditPart audit = group.finish();
        assertThat(audit.arrivals()).isEmpty();
        assertThat(audit.unreported().producers()).hasSize(9).containsEntry(8, 0L);
        assertThat(audit.unreported().consumers())
                .hasSize(9)
                .contains(new AuditPart.SubscriptionKey("test-topic-run1-00008", 0));
    }

    /** Otherwise they would count as unanswered until the run ends, and as that late. */
    @Test
    void whatALostWorkerHadInFlightIsTold() throws Exception {
        request("prepare");
        workers.get(1).holdInFlight(121);
        group.period(1);
        assertThat(group.status().totals().inFlight()).isEqualTo(121);
        members.get(1).lose("its process was restarted");
        assertThat(group.status().lost()).extracting(Lost::inFlight).containsExactly(121L);
    }

    /** The third worker has the producers of topics 2 and 6. */
    @Test
    void whatALostWorkerHadSentIsAuditedFromWhereTheSearchHadEnded() throws Exception {
        request("prepare");
        Map<Integer, Long> marks = new HashMap<>();
        for (int producer = 0; producer < 9; producer++) {
            marks.put(producer, 100L + producer);
        }
        group.endSearch(new Marks(marks));
        members.get(2).lose("its process was restarted");
        assertThat(group.stop(new Stop(true)).sequences())
                .as("lost before the search has ended")
                .containsEntry(2, Long.MAX_VALUE)
                .containsEntry(6, Long.MAX_VALUE);
        assertThat(group.finish().unreported())
                .isEqualTo(new AuditPart.Unreported(
                        Map.of(2, 102L, 6, 106L),
                        Set.of(
                                new AuditPart.SubscriptionKey("test-topic-run1-00002", 0),
                                new AuditPart.SubscriptionKey("test-topic-run1-00006", 0))));
    }

    @Test
    void aLoadThatOneHasNotConfirmedInTimeIsCalledOff() throws Exception {
        group.close();
        Timing strict = new Timing(
                Duration.ofHours(1),
                Duration.ofHours(1),
                Duration.ofMillis(5),
                Duration.ofHours(1).minusMillis(300),
                Duration.ofSeconds(1),
                Duration.ZERO);
        group = group(strict);
        request("prepare");
        workers.get(1).on("start", () -> new CountDownLatch(1).await());
        assertThatThrownBy(() -> request("start"))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("the start of the load was called off: ")
                .hasMessageContaining("worker 2 (test)")
                .hasMessageEndingWith(" had not confirmed it in time");
        workers.forEach(worker -> assertThat(worker.calls()).endsWith("start", "stop"));
    }

    @Test
    void anInterruptedCoordinatorInterruptsItsRequestsAndCanStillStopTheLoad() throws Exception {
        request("prepare");
        CountDownLatch reached = new CountDownLatch(4);
        CountDownLatch interrupted = new CountDownLatch(2);
        workers.get(1).on("start", reached::countDown);
        workers.get(3).on("start", reached::countDown);
        for (int index : List.of(0, 2)) {
            workers.get(index).on("start", () -> {
                reached.countDown();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    interrupted.countDown();
                }
            });
        }
        FutureTask<Object> starting = new FutureTask<>(() -> request("start"));
        Thread coordinator = new Thread(starting, "coordinator");
        coordinator.start();
        Patience.await("all start", reached);
        coordinator.interrupt();
        assertThatThrownBy(() -> Patience.get("the end of the request", starting))
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(interrupted.getCount()).as("requests that go on").isZero();
        group.stop(new Stop(false));
        workers.forEach(worker -> assertThat(worker.calls()).endsWith("start", "stop"));
    }

    /** An error of this process is not one of the worker's, but has to end the request, too. */
    @Test
    void aRequestThatCannotBeSentFails() throws Exception {
        request("prepare");
        members.get(1).refuse(new IllegalStateException("no threads"));
        assertThatThrownBy(() -> request("status"))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("worker 2 (test): unexpected error: ")
                .hasMessageContaining("no threads");
        members.get(1).lose("the test has ended");
    }

    @Test
    void theFirstCauseIsTheOneThatIsTold() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        workers.get(0).on("prepare", () -> {
            waiting.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new DriverException("interrupted while 17 of 100 producers were there", e);
            }
        });
        workers.get(3).on("prepare", () -> {
            waiting.await();
            throw new DriverException("no quota");
        });
        assertThatThrownBy(() -> request("prepare")).hasMessage("worker 4 (test): no quota");

        group.close();
        group = group(TestMember.TIMING);
        request("prepare");
        workers.get(0).fail(2_000, "the group has lost its leader");
        workers.get(3).fail(1_000, "disk full");
        assertThat(group.status().failure()).isEqualTo(new Failure(1_000, "worker 4 (test): disk full"));
    }

    @Test
    void howFarALongPreparationIsIsTold() throws Exception {
        members.get(2).setProgress("4,000 of 10,000 producers");
        workers.get(2).on("prepare", () -> {
            Patience.until("progress is told", () -> !progress.isEmpty());
        });
        request("prepare");
        assertThat(progress).first().isEqualTo("worker 3 of 4: 4,000 of 10,000 producers");
    }

    @Test
    void theyAreNotAskedMoreOftenThanTheyCanAnswer() throws Exception {
        group.close();
        Timing slow = new Timing(
                Duration.ofMillis(20),
                Duration.ofMillis(10),
                Duration.ofMillis(5),
                Duration.ofMinutes(-1),
                Duration.ofHours(1),
                Duration.ofMillis(20));
        group = group(slow);
        request("prepare");
        long beginNs = System.nanoTime();
        group.status();
        group.status();
        assertThat(System.nanoTime() - beginNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(79));
        assertThat(workers.get(0).calls()).as("once in a while").containsOnlyOnce("clocks");
    }

    @Test
    void timesAheadGrowWithTheWayToTheWorkers() {
        Timing standard = Timing.standard();
        assertThat(standard.startNs(true, 1_000_000)).isEqualTo(2_000_000_000L);
        assertThat(standard.startNs(true, 400_000_000)).isEqualTo(4_000_000_000L);
        assertThat(standard.startNs(false, 1_000_000)).isEqualTo(510_000_000L);
        assertThat(standard.changeNs(1_000_000)).isEqualTo(510_000_000L);
    }
}
