package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditFixture;
import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.audit.SubscriptionAudit;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.load.PayloadChecks.CheckingListener;
import io.openmessaging.benchmark.load.PayloadChecks.SealingProducer;
import io.openmessaging.benchmark.measure.Measurements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests payloads from a producer that seals them to a listener that checks them. */
class PayloadChecksTest {

    private static final int RUN_TAG = 4711;
    private static final long NOW_NS = 1_700_000_000_000_000_000L;

    private static final SendCallback NOBODY = new SendCallback() {
        @Override
        public void acknowledged() {}

        @Override
        public void failed(Throwable cause) {}
    };

    private final Measurements measurements = new Measurements(() -> NOW_NS, 1);
    private final SubscriptionAudit subscription = new SubscriptionAudit("topic", 0);
    private final ConsumerAudit audit = new ConsumerAudit(subscription, 0, 1, 1);
    private final List<Integer> probed = new ArrayList<>();
    private final ProducerAudit sent = new ProducerAudit(0);
    private final FakeProducer client = FakeProducer.acknowledging();

    private final CheckingListener listener = new CheckingListener(
            new MessageReceiver(
                    0,
                    MessageHeader.Layout.FULL,
                    RUN_TAG,
                    audit,
                    measurements,
                    null,
                    (partition, series) -> probed.add(partition)),
            RUN_TAG,
            audit,
            measurements);

    private final LoadedProducer producer =
            new LoadedProducer(new SealingProducer(client), sent, measurements, MessageHeader.Layout.FULL, RUN_TAG);

    /** Sends one more message; returns its payload as the client received it. */
    private byte[] send(byte[] content) throws InterruptedException {
        producer.send(null, content, NOW_NS - 2, NOW_NS - 1);
        return client.messages.get(client.messages.size() - 1).payload();
    }

    private static byte[] content(int bytes) {
        byte[] content = Payloads.text(bytes);
        PayloadChecks.addTo(List.of(content));
        return content;
    }

    private AuditReport.SubscriptionReport audited() {
        audit.close();
        return AuditReport.of(
                        List.of(new AuditPart(List.of(sent.dispatches()), List.of(subscription.arrivals()))),
                        Map.of("topic", List.of(0)),
                        1,
                        AuditReport.WaitEnd.SETTLED)
                .subscriptions()
                .get(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 41, 100, 1024, 100_000})
    void whatArrivesAsItWasSentIsIntact(int bytes) throws InterruptedException {
        byte[] content = content(bytes);
        for (int i = 0; i < 10; i++) {
            // The same array is sent again with another header.
            listener.received(null, send(content), 0);
        }
        assertThat(measurements.totals().unknown()).isZero();
        assertThat(audited()).isEqualTo(AuditFixture.subscription(0, 10, 10, 0, 0, 0, 0, 0, List.of()));
    }

    @Test
    void everyBitIsChecked() throws InterruptedException {
        byte[] payload = send(content(100));
        for (int bit = 0; bit < 8 * payload.length; bit++) {
            byte[] damaged = payload.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            listener.received(null, damaged, 0);
        }
        // With a damaged header or checksum, it could be any message.
        assertThat(measurements.totals().unknown()).isEqualTo(8 * PayloadChecks.END);
        assertThat(measurements.totals().received()).containsExactly(8L * (100 - PayloadChecks.END));
        assertThat(audited().damaged()).isEqualTo(8 * (100 - PayloadChecks.END));
    }

    @Test
    void aMessageThatIsTooShortOrTooLongIsDamaged() throws InterruptedException {
        byte[] payload = send(content(100));
        listener.received(null, Arrays.copyOf(payload, 99), 0);
        listener.received(null, Arrays.copyOf(payload, 101), 0);
        listener.received(null, Arrays.copyOf(payload, 40), 0);
        listener.received(null, Arrays.copyOf(payload, 39), 0);
        listener.received(null, Arrays.copyOf(payload, 32), 0);
        listener.received(null, new byte[0], 0);
        assertThat(measurements.totals().unknown()).isEqualTo(3);
        assertThat(audited().damaged()).isEqualTo(3);
    }

    @Test
    void theContentOfAnotherMessageIsFound() throws InterruptedException {
        byte[] one = content(100);
        byte[] other = new byte[100];
        PayloadChecks.addTo(List.of(other));
        byte[] payload = send(one);
        byte[] second = send(other);
        System.arraycopy(second, PayloadChecks.END, payload, PayloadChecks.END, 100 - PayloadChecks.END);
        listener.received(null, payload, 0);
        assertThat(audited().damaged()).isEqualTo(1);
    }

    @Test
    void probesAreNoMessagesToBeChecked() throws InterruptedException {
        byte[] probe = new byte[MessageHeader.Layout.FULL.bytes()];
        MessageHeader.writeFull(probe, RUN_TAG, MessageHeader.PROBE, 0, 0, 0);
        new SealingProducer(new FakeProducer(message -> {})).send(null, probe, NOBODY);
        listener.received(null, probe, 3);
        assertThat(probed).containsExactly(3);
        assertThat(measurements.totals().unknown()).isZero();
    }
}
