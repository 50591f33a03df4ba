package io.openmessaging.benchmark.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.Payloads;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LocalWorkerTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MESSAGE_BYTES = 100;

    private final FakeSystem system = new FakeSystem();
    private final LocalWorker worker = TestDrivers.worker(system, new EpochClock());

    @AfterEach
    void close() throws Exception {
        worker.close();
    }

    private static void await(String what, BooleanSupplier condition) {
        Awaitility.await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(2)).until(condition::getAsBoolean);
    }

    private Topology provision(int topics, int partitions, int producers, int subscriptions) throws Exception {
        Topology topology = Topology.of("run1", topics, partitions, producers, subscriptions, 1);
        worker.connect(new WorkerPlan("run1", 77, topology, MessageHeader.Layout.FULL, LIMIT));
        worker.createTopics(topology.topics());
        worker.createConsumers(topology.consumers());
        worker.createProducers(topology.producers());
        return topology;
    }

    private static LoadPlan messages(long count) {
        return new LoadPlan(
                Double.POSITIVE_INFINITY, count, List.of(Payloads.text(MESSAGE_BYTES)), KeyDistribution.NO_KEY);
    }

    private void send(long count) throws Exception {
        worker.startLoad(messages(count));
        await("all messages are sent", worker::loadFinished);
        worker.stopLoad();
    }

    private static AuditReport report(AuditPart part, Topology topology) {
        return AuditReport.of(
                List.of(part), topology.producersByTopic(), topology.subscriptionCount(), AuditReport.WaitEnd.SETTLED);
    }

    @Test
    void nothingComesBeforeConnecting() {
        assertThatThrownBy(worker::totals).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> worker.startLoad(messages(1))).isInstanceOf(IllegalStateException.class);
        assertThat(worker.loadFinished()).isTrue();
        assertThat(worker.failure()).isEmpty();
    }

    @Test
    void whatIsSentIsConfirmedAndArrivesAtEverySubscription() throws Exception {
        Topology topology = provision(2, 3, 2, 2);
        send(1000);

        Totals totals = worker.totals();
        assertThat(totals).isEqualTo(new Totals(1000, 1000, 0, List.of(1000L, 1000L), 0));
        AuditReport report = report(worker.closeClients(), topology);
        assertThat(report.sent()).isEqualTo(1000);
        assertThat(report.producers()).isEqualTo(4);
        assertThat(report.subscriptions()).hasSize(2).allSatisfy(subscription -> {
            assertThat(subscription.received()).isEqualTo(1000);
            assertThat(subscription.lost()).isZero();
            assertThat(subscription.duplicated()).isZero();
            assertThat(subscription.unexpected()).isZero();
        });
    }

    @Test
    void whatArrivesTwiceIsKnownWhileItDoes() throws Exception {
        system.deliver(copy -> copy.subscription().equals("sub-001") && !copy.isProbe() ? 2 : 1);
        provision(2, 1, 2, 2);
        send(1000);

        Totals totals = worker.totals();
        assertThat(totals.received()).containsExactly(1000L, 2000L);
        assertThat(totals.duplicated()).containsExactly(0L, 1000L);
        assertThat(totals.largestBacklog()).isZero();
        assertThat(worker.sample().totals()).isEqualTo(totals);
    }

    @ParameterizedTest
    @EnumSource(PayloadOwnership.class)
    void anotherLoadGoesOnWithTheNumbersOfTheOneBefore(PayloadOwnership ownership) throws Exception {
        system.setOwnership(ownership);
        Topology topology = provision(1, 2, 3, 1);
        send(500);
        send(501);
        send(2);

        assertThat(worker.totals().sent()).isEqualTo(1003);
        AuditReport report = report(worker.closeClients(), topology);
        assertThat(report.sent()).isEqualTo(1003);
        assertThat(report.duplicated()).isZero();
        assertThat(report.lost()).isZero();
        assertThat(report.subscriptions().get(0).received()).isEqualTo(1003);
    }

    @Test
    void aSearchIsAuditedApart() throws Exception {
        Topology topology = provision(2, 2, 3, 2);
        system.deliver(copy -> copy.number() == 7 ? 0 : copy.number() == 9 ? 2 : 1);
        send(500);
        worker.endSearch();
        system.deliver(copy -> copy.number() == 511 ? 2 : 1);
        send(100);

        AuditPart part = worker.closeClients();
        AuditReport searched = AuditReport.ofSearch(
                List.of(part), topology.producersByTopic(), topology.subscriptionCount(), AuditReport.WaitEnd.SETTLED);
        assertThat(searched.sent()).isEqualTo(500);
        assertThat(searched.lost()).isEqualTo(2);
        assertThat(searched.duplicated()).isEqualTo(2);
        AuditReport measured = report(part, topology);
        assertThat(measured.sent()).isEqualTo(100);
        assertThat(measured.lost()).isZero();
        assertThat(measured.duplicated()).isEqualTo(2);
        assertThat(measured.subscriptions().get(1).received()).isEqualTo(101);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "7,3", "1,5", "1000,7", "999,2"})
    void exactlyAsManyMessagesAsAskedForAreSent(long count, int producers) throws Exception {
        provision(1, 1, producers, 1);
        send(count);
        assertThat(worker.totals().sent()).isEqualTo(count);
        assertThat(system.sent()).isEqualTo(count);
    }

    @Test
    void looksForItsOwnStallsAsLongAsItIsConnected() throws Exception {
        await("no other worker does", () -> stallMeters() == 0);
        provision(1, 1, 1, 1);
        await("moments are counted", () -> worker.sample().stalls().count() > 0);
        assertThat(stallMeters()).isEqualTo(1);
        worker.close();
        await("nobody looks any more", () -> stallMeters() == 0);
    }

    private static long stallMeters() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("stalls"))
                .count();
    }

    @Test
    void theLoadGoesOnUntilItIsStopped() throws Exception {
        provision(1, 1, 2, 1);
        worker.startLoad(messages(Long.MAX_VALUE));
        await("a thousand messages are sent", () -> worker.totals().sent() > 1000);
        assertThat(worker.loadFinished()).isFalse();

        worker.stopLoad();

        long sent = worker.totals().sent();
        assertThat(worker.loadFinished()).isTrue();
        assertThat(worker.totals().inFlight()).isZero();
        assertThat(system.sent()).isEqualTo(sent);
        worker.stopLoad();
        assertThat(system.sent()).as("stopping twice changes nothing").isEqualTo(sent);
    }

    @Test
    void anotherRateHoldsFromNowOn() throws Exception {
        provision(1, 1, 1, 1);
        // A message in a quarter of an hour; the first one is due at once.
        worker.startLoad(
                new LoadPlan(0.001, Long.MAX_VALUE, List.of(Payloads.text(MESSAGE_BYTES)), KeyDistribution.NO_KEY));
        await("the first message is sent", () -> worker.totals().sent() == 1);

        worker.changeRate(RateProfile.steady(1e6));

        await("many messages are sent", () -> worker.totals().sent() > 1000);
    }

    @Test
    void aRateIsOfAllProducersTogether() throws Exception {
        provision(1, 1, 5, 1);
        long beginNs = System.nanoTime();
        worker.startLoad(new LoadPlan(1000, 100, List.of(Payloads.text(MESSAGE_BYTES)), KeyDistribution.NO_KEY));
        await("all messages are sent", worker::loadFinished);
        // The last of a hundred is due after 99 ms, or a little earlier in the share of a thread.
        assertThat(System.nanoTime() - beginNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(90));
    }

    @Test
    void probesOpenEveryWayAndAreNotCounted() throws Exception {
        Topology topology = provision(2, 3, 2, 2);
        await("every way is open", () -> {
            try {
                worker.sendProbes(worker.arrivedProbes());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return worker.arrivedProbes().cardinality() == topology.probeCount();
        });
        assertThat(worker.totals()).isEqualTo(Totals.none(2));
        send(10);
        assertThat(worker.totals()).isEqualTo(new Totals(10, 10, 0, List.of(10L, 10L), 0));
        assertThat(report(worker.closeClients(), topology).sent()).isEqualTo(10);
    }

    @Test
    void aTopicWhoseWaysAreOpenIsProbedNoMore() throws Exception {
        Topology topology = provision(2, 1, 1, 1);
        BitSet first = new BitSet();
        first.set(topology.probeIndex(0, 0, 0));

        worker.sendProbes(first);

        BitSet second = new BitSet();
        second.set(topology.probeIndex(1, 0, 0));
        assertThat(worker.arrivedProbes()).isEqualTo(second);
    }

    @Test
    void aProbeThatIsRefusedSaysWhy() throws Exception {
        provision(1, 1, 1, 1);
        system.onSend(number -> {
            throw new IllegalStateException("no leader");
        });
        assertThatThrownBy(() -> worker.sendProbes(new BitSet())).hasMessage("no leader");
        assertThat(worker.arrivedProbes().isEmpty()).isTrue();
    }

    @Test
    void pausedConsumersGetNothingUntilTheyResume() throws Exception {
        Topology topology = provision(1, 2, 1, 2);
        worker.pauseConsumers();
        send(100);
        assertThat(worker.totals().received()).containsExactly(0L, 0L);
        assertThat(worker.totals().backlog()).isEqualTo(200);

        worker.resumeConsumers();

        assertThat(worker.totals().received()).containsExactly(100L, 100L);
        assertThat(report(worker.closeClients(), topology).lost()).isZero();
    }

    @Test
    void eachSampleHasWhatCameSinceTheOneBefore() throws Exception {
        provision(1, 1, 1, 1);
        send(10);
        PeriodSnapshot first = worker.sample();
        send(5);
        PeriodSnapshot second = worker.sample();

        assertThat(first.counts().sent()).isEqualTo(10);
        assertThat(second.counts().sent()).isEqualTo(5);
        assertThat(second.totals().sent()).isEqualTo(15);
        assertThat(second.startNs()).isEqualTo(first.endNs());
    }

    @Test
    void refusedMessagesAreCountedAndNotExpected() throws Exception {
        system.refuse(number -> number % 10 == 0);
        Topology topology = provision(1, 1, 1, 1);
        send(100);
        assertThat(worker.totals()).isEqualTo(new Totals(100, 90, 10, List.of(90L), 0));
        assertThat(worker.errors()).containsValue(10L);
        AuditReport report = report(worker.closeClients(), topology);
        assertThat(report.failed()).isEqualTo(10);
        assertThat(report.lost()).isZero();
    }

    @Test
    void lostAndRepeatedMessagesAreFoundByTheAudit() throws Exception {
        system.deliver(copy -> copy.number() == 17 ? 0 : copy.number() == 18 ? 2 : 1);
        Topology topology = provision(1, 1, 1, 1);
        send(100);
        AuditReport.Subscription audit =
                report(worker.closeClients(), topology).subscriptions().get(0);
        assertThat(audit.lost()).isEqualTo(1);
        assertThat(audit.firstLost()).containsExactly("producer 0: 17");
        assertThat(audit.duplicated()).isEqualTo(1);
    }

    @Test
    void theFirstFatalErrorIsTheCauseAndKeepsTheOthers() throws Exception {
        provision(1, 1, 1, 1);
        IOException first = new IOException("first");
        IOException second = new IOException("second");
        system.events().fatal(first);
        system.events().fatal(second);
        system.events().fatal(first);

        assertThat(worker.failure()).containsSame(first);
        assertThat(first.getSuppressed()).containsExactly(second);
    }

    @Test
    void clientErrorsAreCountedByKindAndAreNotFatal() throws Exception {
        provision(1, 1, 1, 1);
        system.events().clientError("consumer poll", new IOException("timeout after 500 ms"));
        system.events().clientError("consumer poll", new IOException("timeout after 501 ms"));
        assertThat(worker.errors()).hasSize(1).containsValue(2L);
        assertThat(worker.errors().keySet()).allMatch(kind -> kind.startsWith("consumer poll"));
        assertThat(worker.failure()).isEmpty();
    }

    @Test
    void aSendThatThrowsIsFatal() throws Exception {
        provision(1, 1, 1, 1);
        system.onSend(number -> {
            if (number == 50) {
                throw new IllegalStateException("the client is closed");
            }
        });
        worker.startLoad(messages(Long.MAX_VALUE));
        await("the failure is found", () -> worker.failure().isPresent());
        assertThat(worker.failure()).get().extracting(Throwable::getMessage).isEqualTo("the client is closed");
        worker.stopLoad();
        assertThat(worker.totals()).isEqualTo(new Totals(51, 50, 1, List.of(50L), 0));
    }

    @Test
    void aSendThatBlocksForEverIsInterrupted() throws Exception {
        Topology topology = provision(1, 1, 1, 1);
        CountDownLatch blocked = new CountDownLatch(1);
        system.onSend(number -> {
            if (number == 20) {
                blocked.countDown();
                new CountDownLatch(1).await();
            }
        });
        worker.startLoad(messages(Long.MAX_VALUE));
        assertThat(blocked.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("the send blocks")
                .isTrue();

        worker.stopLoad();

        assertThat(worker.loadFinished()).isTrue();
        assertThat(worker.failure()).isEmpty();
        // The message that was being sent is accounted for.
        assertThat(worker.totals()).isEqualTo(new Totals(21, 20, 1, List.of(20L), 0));
        assertThat(report(worker.closeClients(), topology).lost()).isZero();
    }

    @Test
    void aSendThatCannotEvenBeInterruptedIsReported() throws Exception {
        provision(1, 1, 1, 1);
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        system.onSend(number -> {
            blocked.countDown();
            awaitThroughInterrupts(release);
        });
        worker.startLoad(messages(Long.MAX_VALUE));
        assertThat(blocked.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("the send blocks")
                .isTrue();

        assertThatThrownBy(worker::stopLoad)
                .isInstanceOf(DriverException.class)
                .hasMessageContaining("a send is still blocked");

        release.countDown();
    }

    private static void awaitThroughInterrupts(CountDownLatch latch) {
        boolean released = false;
        while (!released) {
            try {
                released = latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                // That is the point.
            }
        }
    }

    @Test
    void everyClientIsClosedOnce() throws Exception {
        provision(2, 1, 2, 3);
        worker.closeClients();
        worker.close();
        worker.close();

        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(4);
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(6);
        assertThat(system.count(Call.CLOSE)).isEqualTo(1);
        List<Call> calls = system.calls();
        assertThat(calls.lastIndexOf(Call.CLOSE_PRODUCER))
                .as("producers first")
                .isLessThan(calls.indexOf(Call.CLOSE_CONSUMER));
        assertThat(calls).endsWith(Call.CLOSE);
    }

    @Test
    void closingAloneEndsTheLoadAndClosesEverything() throws Exception {
        provision(1, 1, 2, 1);
        worker.startLoad(messages(Long.MAX_VALUE));
        await("messages are sent", () -> system.sent() > 100);

        worker.close();

        long sent = system.sent();
        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(2);
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(1);
        assertThat(system.count(Call.CLOSE)).isEqualTo(1);
        assertThat(system.sent()).isEqualTo(sent);
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"CLOSE_PRODUCER", "CLOSE_CONSUMER"})
    void aClientThatCannotBeClosedIsReportedButTheOthersAreClosed(Call call) throws Exception {
        provision(1, 1, 2, 2);
        system.on(call, () -> {
            throw new DriverException("cannot close");
        });
        assertThatThrownBy(worker::closeClients)
                .isInstanceOf(DriverException.class)
                .hasMessage("cannot close");
        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(2);
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(2);
        worker.close();
        assertThat(system.count(Call.CLOSE)).isEqualTo(1);
    }

    @Test
    void aConnectionWhoseBrokerCannotBeDescribedIsClosedAllTheSame() throws Exception {
        system.on(Call.DESCRIBE, () -> {
            throw new DriverException("no answer");
        });
        assertThatThrownBy(() -> provision(1, 1, 1, 1)).hasMessage("no answer");
        worker.close();
        assertThat(system.count(Call.CLOSE)).isEqualTo(1);
    }

    @Test
    void theDriverSeesItsOwnClassesByNameWhileItIsConnected() throws Exception {
        ClassLoader mine = new ClassLoader(getClass().getClassLoader()) {};
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(mine);
        try {
            LocalWorker other = TestDrivers.worker(system, new EpochClock());
            other.connect(
                    new WorkerPlan("run1", 77, Topology.of("run1", 1, 1, 1, 1, 1), MessageHeader.Layout.FULL, LIMIT));
            assertThat(system.contextOnConnect()).isSameAs(FakeSystem.class.getClassLoader());
            other.close();
            assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(mine);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void usageIsOfThisProcess() {
        assertThat(worker.usage().cpuNs()).isPositive();
        assertThat(worker.usage().processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }
}
