package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LoadedProducerTest {

    private static final int PRODUCER = 3;
    private static final int RUN_TAG = 4711;
    private static final long START_NS = 1_700_000_000_000_000_000L;

    private final AtomicLong clock = new AtomicLong(START_NS);
    private final Measurements measurements = new Measurements(clock::get, 1);

    private LoadedProducer producer(FakeProducer client, MessageHeader.Layout layout) {
        return new LoadedProducer(client, new ProducerAudit(PRODUCER), measurements, layout, RUN_TAG);
    }

    private static AuditReport report(LoadedProducer producer) {
        AuditPart part = new AuditPart(List.of(producer.audit().dispatches()), List.of());
        return AuditReport.of(List.of(part), Map.of("topic", List.of(PRODUCER)), 1, AuditReport.WaitEnd.SETTLED);
    }

    @Test
    void aFullHeaderIsWrittenAndNumbersCountUp() throws InterruptedException {
        FakeProducer client = FakeProducer.acknowledging();
        LoadedProducer producer = producer(client, MessageHeader.Layout.FULL);
        byte[] payload = new byte[40];
        for (int i = 0; i < 3; i++) {
            producer.send("key" + i, payload, START_NS + i, START_NS + 10 + i);
        }
        assertThat(client.messages).hasSize(3);
        for (int i = 0; i < 3; i++) {
            FakeProducer.Message message = client.messages.get(i);
            assertThat(message.key()).isEqualTo("key" + i);
            assertThat(MessageHeader.isOfRun(message.payload(), RUN_TAG)).isTrue();
            assertThat(MessageHeader.producer(message.payload())).isEqualTo(PRODUCER);
            assertThat(message.sequence()).isEqualTo(i);
            assertThat(message.intendedNs()).isEqualTo(START_NS + i);
            assertThat(message.sentNs()).isEqualTo(START_NS + 10 + i);
        }
        assertThat(report(producer).sent()).isEqualTo(3);
    }

    @Test
    void aCompactHeaderIsWritten() throws InterruptedException {
        FakeProducer client = FakeProducer.acknowledging();
        LoadedProducer producer = producer(client, MessageHeader.Layout.COMPACT);
        producer.send(null, new byte[10], START_NS, START_NS + 5);
        producer.send(null, new byte[10], START_NS, START_NS + 6);
        byte[] second = client.messages.get(1).payload();
        assertThat(MessageHeader.compactProducer(second)).isEqualTo(PRODUCER);
        assertThat(MessageHeader.compactSequence(second, 0)).isEqualTo(1);
        assertThat(MessageHeader.compactSentNs(second, START_NS + 100)).isEqualTo(START_NS + 6);
    }

    @Test
    void aHeaderOfANumberOnlyIsWritten() throws InterruptedException {
        FakeProducer client = FakeProducer.acknowledging();
        LoadedProducer producer = producer(client, MessageHeader.Layout.NUMBERED);
        producer.send(null, new byte[5], START_NS, START_NS);
        producer.send(null, new byte[5], START_NS, START_NS);
        byte[] second = client.messages.get(1).payload();
        assertThat(MessageHeader.compactProducer(second)).isEqualTo(PRODUCER);
        assertThat(MessageHeader.compactSequence(second, 0)).isEqualTo(1);
    }

    @Test
    void withoutAHeaderThePayloadIsLeftAlone() throws InterruptedException {
        FakeProducer client = FakeProducer.acknowledging();
        producer(client, MessageHeader.Layout.NONE).send(null, new byte[] {1, 2, 3}, START_NS, START_NS);
        assertThat(client.messages.get(0).payload()).containsExactly(1, 2, 3);
    }

    @Test
    void anAcknowledgementIsTimedFromTheActualAndTheIntendedSend() throws InterruptedException {
        FakeProducer client = new FakeProducer(message -> {});
        LoadedProducer producer = producer(client, MessageHeader.Layout.FULL);
        producer.send(null, new byte[32], START_NS, START_NS + 400);
        assertThat(measurements.totals().acknowledged()).isZero();
        clock.set(START_NS + 1_000);
        client.messages.get(0).callback().acknowledged();
        PeriodSnapshot period = measurements.sample();
        assertThat(period.counts().acknowledged()).isEqualTo(1);
        assertThat(period.latency(Latency.PUBLISH).sumNs()).isEqualTo(600);
        assertThat(period.latency(Latency.SCHEDULED_PUBLISH).sumNs()).isEqualTo(1_000);
        assertThat(report(producer).failed()).isZero();
    }

    @Test
    void aRefusalIsCountedAndTheMessageNeedNotArrive() throws InterruptedException {
        FakeProducer client = new FakeProducer(message -> {
            if (message.sequence() == 1) {
                message.callback().failed(new IOException("refused"));
            } else {
                message.callback().acknowledged();
            }
        });
        LoadedProducer producer = producer(client, MessageHeader.Layout.FULL);
        for (int i = 0; i < 3; i++) {
            producer.send(null, new byte[32], START_NS, START_NS);
        }
        assertThat(measurements.totals()).isEqualTo(new Totals(0, 2, 1, List.of(0L), 0));
        AuditReport report = report(producer);
        assertThat(report.sent()).isEqualTo(3);
        assertThat(report.failed()).isEqualTo(1);
        assertThat(report.subscriptions().get(0).firstLost()).containsExactly("producer 3: 0", "producer 3: 2");
    }

    static Stream<Throwable> thrown() {
        return Stream.of(
                new IllegalStateException("closed"),
                new NoClassDefFoundError("Codec"),
                new InterruptedException("interrupted"),
                new IOException("not declared"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void aSendThatThrowsIsAFailedMessage(Throwable thrown) {
        LoadedProducer producer = producer(
                new FakeProducer(message -> {
                    throw Rethrow.unchecked(thrown);
                }),
                MessageHeader.Layout.FULL);
        assertThatThrownBy(() -> producer.send(null, new byte[32], START_NS, START_NS))
                .isSameAs(thrown);
        assertThat(measurements.totals().failed()).isEqualTo(1);
        AuditReport report = report(producer);
        assertThat(report.sent()).isEqualTo(1);
        assertThat(report.failed()).isEqualTo(1);
        assertThat(report.lost()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theHeaderFitsTheSmallestMessageOfItsLayout(MessageHeader.Layout layout) throws InterruptedException {
        FakeProducer client = FakeProducer.acknowledging();
        producer(client, layout).send(null, new byte[layout.bytes()], START_NS, START_NS);
        assertThat(client.messages).hasSize(1);
    }
}
