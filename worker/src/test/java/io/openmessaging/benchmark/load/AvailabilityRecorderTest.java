package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.availability.Availability;
import io.openmessaging.benchmark.availability.LatencyBuckets;
import io.openmessaging.benchmark.availability.SlotCounts;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two workers whose clocks differ much from the coordinator's. The first has producer 0, the second producer 1. */
class AvailabilityRecorderTest {

    private static final int RUN_TAG = 7;
    private static final long S = TimeUnit.SECONDS.toNanos(1);
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Time by the coordinator's clock. */
    private static final long INTENDED_NS = 1_000 * S;

    private static final long SLOT = INTENDED_NS / (100 * MS);

    private static final List<Long> AHEAD_NS = List.of(10 * S, -3 * S);

    private final List<SendCallback> unanswered = new ArrayList<>();
    private long nowNs = INTENDED_NS;

    private AvailabilityRecorder recorderOf(int worker) {
        SenderClocks clocks = new SenderClocks(worker, 2, producer -> producer);
        clocks.tell(AHEAD_NS.stream().map(aheadNs -> new Offset(aheadNs, MS)).toList());
        return new AvailabilityRecorder(RUN_TAG, () -> nowNs + AHEAD_NS.get(worker), clocks);
    }

    private static byte[] message(int producer) {
        byte[] payload = new byte[64];
        long intendedNs = INTENDED_NS + AHEAD_NS.get(producer);
        MessageHeader.writeFull(payload, RUN_TAG, producer, 0, intendedNs, intendedNs);
        return payload;
    }

    private static int sum(SlotCounts counts, int kind) {
        return Math.toIntExact(counts.sum(SLOT, SLOT + 1, kind));
    }

    @Test
    void whatIsSentCountsByTheClockOfTheCoordinator() throws Exception {
        for (int worker : List.of(0, 1)) {
            AvailabilityRecorder recorder = recorderOf(worker);
            BenchmarkProducer client = recorder.watch(new Unanswered(), worker);
            nowNs = INTENDED_NS;
            client.send(null, message(worker), new Ignored());
            client.send(null, message(worker), new Ignored());
            nowNs += 20 * MS;
            unanswered.get(0).acknowledged();
            unanswered.get(1).failed(new IllegalStateException("refused"));
            unanswered.clear();
            Availability seen = recorder.seen();
            SlotCounts sends = seen.sends().getOrDefault(worker, SlotCounts.none(Availability.KINDS));
            assertThat(sum(sends, Availability.DUE)).isEqualTo(2);
            assertThat(sum(sends, Availability.ON_TIME)).isEqualTo(1);
            assertThat(sum(sends, Availability.FAILED)).isEqualTo(1);
            assertThat(sum(seen.publishLatencies(), LatencyBuckets.of(20 * MS))).isEqualTo(1);
            long fineSlot = INTENDED_NS / (10 * MS);
            assertThat(seen.together().count(fineSlot, Availability.DUE)).isEqualTo(2);
            assertThat(seen.together().count(fineSlot + 2, Availability.ANSWERED))
                    .as("when it came")
                    .isEqualTo(1);
        }
    }

    @Test
    void anAnswerCountsInTheSlotOfItsMessageWhateverIsFoundOutOfClocksMeanwhile() throws Exception {
        SenderClocks clocks = new SenderClocks(0, 2, producer -> producer);
        AvailabilityRecorder recorder = new AvailabilityRecorder(RUN_TAG, () -> nowNs + AHEAD_NS.get(0), clocks);
        recorder.watch(new Unanswered(), 0).send(null, message(0), new Ignored());
        clocks.tell(List.of(new Offset(AHEAD_NS.get(0), MS), new Offset(0, MS)));
        unanswered.get(0).acknowledged();
        SlotCounts sends = recorder.seen().sends().getOrDefault(0, SlotCounts.none(Availability.KINDS));
        // A clock whose offset is not known yet counts as equal to the coordinator's.
        long due = SLOT + 100;
        assertThat(sends.count(due, Availability.DUE)).isEqualTo(1);
        assertThat(sends.count(due, Availability.ON_TIME)).isEqualTo(1);
    }

    @Test
    void whatArrivesFromAnotherWorkerIsTimedByBothClocks() {
        AvailabilityRecorder recorder = recorderOf(1);
        nowNs = INTENDED_NS + 30 * MS;
        recorder.watch((key, payload, partition) -> {}).received(null, message(0), 0);
        recorder.watch((key, payload, partition) -> {}).received(null, message(1), 0);
        assertThat(sum(recorder.seen().deliveryLatencies(), LatencyBuckets.of(30 * MS)))
                .isEqualTo(2);
    }

    private final class Unanswered implements BenchmarkProducer {
        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) {
            unanswered.add(callback);
        }

        @Override
        public void close() {}
    }

    private static final class Ignored implements SendCallback {
        @Override
        public void acknowledged() {}

        @Override
        public void failed(Throwable cause) {}
    }
}
