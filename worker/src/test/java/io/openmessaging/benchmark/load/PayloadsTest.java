package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.measure.Measurements;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadsTest {

    private static final List<byte[]> CONTENTS = List.of(new byte[] {1, 1}, new byte[] {2, 2}, new byte[] {3, 3});

    @Test
    void allContentsComeInEachRound() {
        for (boolean fresh : new boolean[] {true, false}) {
            Payloads payloads = Payloads.of(CONTENTS, fresh, 1, 0);
            for (int round = 0; round < 5; round++) {
                assertThat(List.of(payloads.next(0), payloads.next(0), payloads.next(0)))
                        .containsExactlyInAnyOrderElementsOf(CONTENTS);
            }
        }
    }

    /**
     * Every second payload is large, as when requests and answers alternate. From evenly spaced positions, all
     * producers would send a large one at the same time.
     */
    @Test
    void producersOfAllThreadsAndWorkersAreNotInStep() {
        List<byte[]> contents = IntStream.range(0, 1000)
                .mapToObj(i -> new byte[i % 2 == 0 ? 10 : 1000])
                .toList();
        List<Payloads> threads = IntStream.range(0, 16)
                .mapToObj(i -> new ThreadPosition(i % 4, 4, i / 4, 4))
                .map(position -> Payloads.of(
                        contents, true, 4, position.seed(new Seed(1)).value()))
                .toList();
        for (int turn = 0; turn < 3000; turn++) {
            long large = threads.stream()
                    .flatMapToInt(thread -> IntStream.range(0, 4).map(producer -> thread.next(producer).length))
                    .filter(bytes -> bytes == 1000)
                    .count();
            // Half of 64, plus or minus five standard deviations.
            assertThat(large).isBetween(12L, 52L);
        }
    }

    @Test
    void arraysComeRoundAgainWhereTheClientCopies() {
        Payloads payloads = Payloads.of(CONTENTS, false, 1, 0);
        Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 30; i++) {
            arrays.add(payloads.next(0));
        }
        assertThat(arrays).hasSize(3);
    }

    @Test
    void anArrayThatIsInTheListSeveralTimesIsCopiedOnce() {
        byte[] content = new byte[1000];
        assertThat(Payloads.copiedBytes(List.of(content, content, content))).isBetween(1000L, 1100L);
        assertThat(Payloads.copiedBytes(List.of(content, new byte[1000]))).isBetween(2000L, 2200L);
    }

    @Test
    void everyMessageHasAFreshArrayWhereTheClientKeepsIt() {
        Payloads payloads = Payloads.of(List.of(new byte[] {1, 1}), true, 1, 0);
        byte[] first = payloads.next(0);
        first[0] = 99;
        assertThat(payloads.next(0)).isNotSameAs(first).containsExactly(1, 1);
    }

    @Test
    void threadsDoNotWriteIntoEachOthersArrays() {
        for (boolean fresh : new boolean[] {true, false}) {
            byte[] content = {1, 1};
            Payloads one = Payloads.of(List.of(content), fresh, 1, 0);
            Payloads other = Payloads.of(List.of(content), fresh, 1, 0);
            Arrays.fill(one.next(0), (byte) 99);
            assertThat(other.next(0)).containsExactly(1, 1);
            assertThat(content).containsExactly(1, 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 968", "0.97, 968", "0.5, 500", "0.29, 290", "0.001, 1", "0.0001, 0"})
    void aPartOfARandomPayloadIsRandomAndTheRestZero(double ratio, int randomBytes) {
        int headerBytes = MessageHeader.Layout.FULL.bytes();
        List<byte[]> payloads = Payloads.random(20, 1_000, ratio, headerBytes);
        assertThat(payloads).hasSize(20);
        boolean[] used = new boolean[1_000];
        for (byte[] payload : payloads) {
            assertThat(payload).hasSize(1_000);
            for (int i = 0; i < payload.length; i++) {
                used[i] |= payload[i] != 0;
            }
        }
        for (int i = 0; i < used.length; i++) {
            assertThat(used[i])
                    .as("whether any payload has something in byte %d", i)
                    .isEqualTo(i >= headerBytes && i < headerBytes + randomBytes);
        }
    }

    /** Counts the values of each byte over many messages; random bytes have different values. */
    @ParameterizedTest
    @CsvSource({"100, 0.5", "100, 0.25", "100, 0.05", "32, 0", "12, 0.1", "8, 0.3", "4, 1"})
    void theHeaderDoesNotOverwriteWhatIsRandom(int sizeBytes, double ratio) throws InterruptedException {
        MessageHeader.Layout layout = MessageHeader.Layout.of(sizeBytes, 1);
        FakeProducer client = FakeProducer.acknowledging();
        LoadedProducer producer =
                new LoadedProducer(client, new ProducerAudit(0), new Measurements(() -> 1, 0), layout, 1);
        for (byte[] payload : Payloads.random(100, sizeBytes, ratio, layout.bytes())) {
            producer.send(null, payload, 1, 1);
        }
        long randomBytes = IntStream.range(layout.bytes(), sizeBytes)
                .filter(at -> client.messages.stream()
                                .map(message -> message.payload()[at])
                                .distinct()
                                .count()
                        > 50)
                .count();
        assertThat(randomBytes).isEqualTo(Math.round(sizeBytes * ratio));
    }

    @Test
    void randomPayloadsDifferFromEachOtherButNotFromRunToRun() {
        List<byte[]> payloads = Payloads.random(2, 100, 0.5, 32);
        assertThat(payloads.get(0)).isNotEqualTo(payloads.get(1));
        List<byte[]> again = Payloads.random(2, 100, 0.5, 32);
        assertThat(again.get(0)).isEqualTo(payloads.get(0));
        assertThat(again.get(1)).isEqualTo(payloads.get(1));
    }

    @Test
    void textIsTheSameInEveryRun() {
        String text = new String(Payloads.text(10_000), StandardCharsets.US_ASCII);
        assertThat(text).hasSize(10_000).matches("[A-Za-z0-9 .]*");
        assertThat(text.chars().distinct().count()).isEqualTo(64);
        assertThat(Payloads.text(10_000)).isEqualTo(Payloads.text(10_000));
        assertThat(Payloads.text(0)).isEmpty();
    }

    @Test
    void kindsAreMixedByTheirWeights() {
        byte[] small = new byte[10];
        byte[] large = new byte[1000];
        byte[] otherLarge = new byte[1000];
        List<byte[]> mixed =
                Payloads.mixed(List.of(List.of(small), List.of(large, otherLarge)), List.of(70.0, 30.0), new Seed(1));
        assertThat(mixed).hasSize(10_000);
        assertThat(mixed.stream().filter(payload -> payload == small)).hasSize(7_000);
        assertThat(mixed.stream().filter(payload -> payload == large)).hasSize(1_500);
        assertThat(mixed.stream().filter(payload -> payload == otherLarge)).hasSize(1_500);
        // The kinds are mixed, not one after the other.
        assertThat(mixed.subList(0, 1000).stream()
                        .filter(payload -> payload == small)
                        .count())
                .isBetween(600L, 800L);
        assertThat(Payloads.mixed(
                        List.of(List.of(small), List.of(large, otherLarge)), List.of(70.0, 30.0), new Seed(1)))
                .isEqualTo(mixed);
    }

    @Test
    void noPlaceIsLostByRounding() {
        List<byte[]> one = List.of(new byte[1]);
        assertThat(Payloads.mixed(List.of(one, one, one), List.of(1.0, 1.0, 1.0), new Seed(1)))
                .hasSize(10_000);
    }

    @Test
    void anArrayThatIsThereSeveralTimesIsCopiedOnce() {
        byte[] same = new byte[10];
        Payloads payloads = Payloads.of(List.of(same, same), false, 1, 0);
        byte[] copy = payloads.next(0);
        assertThat(copy).isNotSameAs(same);
        assertThat(payloads.next(0)).isSameAs(copy);
    }
}
