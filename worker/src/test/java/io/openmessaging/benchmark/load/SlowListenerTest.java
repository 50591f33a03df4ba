package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowListenerTest {

    @Test
    void aMessageIsHandedOnBeforeTheConsumerIsBusyWithIt() {
        List<Long> receivedNs = new ArrayList<>();
        SlowListener listener = new SlowListener(
                (key, payload, partition) -> receivedNs.add(System.nanoTime()),
                Duration.ofMillis(20),
                payload -> false);
        for (int i = 0; i < 3; i++) {
            listener.received(null, new byte[1], 0);
        }
        long endNs = System.nanoTime();
        assertThat(receivedNs).hasSize(3);
        assertThat(receivedNs.get(1) - receivedNs.get(0)).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(endNs - receivedNs.get(2)).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }

    @Test
    void aProbeCostsNoTime() {
        int runTag = 4711;
        List<byte[]> received = new ArrayList<>();
        SlowListener listener = new SlowListener(
                (key, payload, partition) -> received.add(payload),
                Duration.ofDays(1),
                payload -> MessageHeader.isProbe(payload, runTag));
        byte[] probe = new byte[MessageHeader.Layout.FULL.bytes()];
        MessageHeader.writeFull(probe, runTag, MessageHeader.PROBE, 0, 0, 0);
        listener.received(null, probe, 0);
        assertThat(received).containsExactly(probe);
    }

    @Test
    void anInterruptEndsTheWorkAndIsKept() {
        SlowListener listener = new SlowListener((key, payload, partition) -> {}, Duration.ofDays(1), payload -> false);
        Thread.currentThread().interrupt();
        listener.received(null, new byte[1], 0);
        assertThat(Thread.interrupted()).isTrue();
    }
}
