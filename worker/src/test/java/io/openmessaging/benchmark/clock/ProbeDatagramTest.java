package io.openmessaging.benchmark.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.clock.WatchedClock.OpenQuestions;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProbeDatagramTest {

    private static final byte[] KEY = key(1);
    private static final byte[] OTHER_KEY = key(2);

    static byte[] key(long seed) {
        byte[] key = new byte[ProbeSeal.KEY_BYTES];
        new Random(seed).nextBytes(key);
        return key;
    }

    private final ProbeSeal seal = new ProbeSeal(KEY);
    private final ProbeDatagram datagram = new ProbeDatagram();

    @Test
    void aQuestionAndItsAnswerAreAsLong() {
        datagram.ask(5, 7, seal);
        assertThat(datagram.isQuestion(96, new ProbeSeal(KEY))).isTrue();
        assertThat(datagram.looksLikeAnswer(96)).isFalse();
        datagram.answer(-11, 13, seal);
        assertThat(datagram.looksLikeAnswer(96)).isTrue();
        assertThat(seal.isIntact(datagram.bytes())).isTrue();
        assertThat(datagram.isQuestion(96, seal)).isFalse();
        assertThat(datagram.session()).isEqualTo(5);
        assertThat(datagram.number()).isEqualTo(7);
        assertThat(datagram.receivedNs()).isEqualTo(-11);
        assertThat(datagram.answeredNs()).isEqualTo(13);
    }

    @Test
    void anotherLengthIsNone() {
        datagram.ask(5, 7, seal);
        for (int length : new int[] {0, 8, 64, 95, 97}) {
            assertThat(datagram.isQuestion(length, seal)).isFalse();
        }
        datagram.answer(11, 13, seal);
        assertThat(datagram.looksLikeAnswer(95)).isFalse();
        assertThat(datagram.looksLikeAnswer(97)).isFalse();
    }

    @Test
    void anotherKeyIsRefused() {
        datagram.ask(5, 7, new ProbeSeal(OTHER_KEY));
        assertThat(datagram.isQuestion(96, seal)).isFalse();
    }

    @Test
    void noBitCanBeChanged() {
        datagram.ask(5, 7, seal);
        for (int bit = 0; bit < 96 * 8; bit++) {
            datagram.bytes()[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(datagram.isQuestion(96, seal)).as("bit %d", bit).isFalse();
            datagram.bytes()[bit / 8] ^= (byte) (1 << bit % 8);
        }
        assertThat(datagram.isQuestion(96, seal)).isTrue();
    }

    @Test
    void aKeyHas32Bytes() {
        assertThatThrownBy(() -> new ProbeSeal(Arrays.copyOf(KEY, 31)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A key for probes has 32 bytes, not 31");
    }

    @Test
    void anAnswerBelongsToOneOpenQuestion() {
        OpenQuestions open = new OpenQuestions();
        for (long number = 1; number <= 300; number++) {
            open.sent(number, 1_000 + number);
        }
        assertThat(open.answered(299)).isEqualTo(1_299);
        assertThat(open.answered(299)).as("a second time").isEqualTo(OpenQuestions.NONE);
        assertThat(open.answered(43)).as("more than 256 ago").isEqualTo(OpenQuestions.NONE);
        assertThat(open.answered(45)).isEqualTo(1_045);
        assertThat(open.answered(301)).as("never asked").isEqualTo(OpenQuestions.NONE);
        assertThat(open.answered(0)).isEqualTo(OpenQuestions.NONE);
        assertThat(open.answered(-45)).isEqualTo(OpenQuestions.NONE);
    }
}
