package io.openmessaging.benchmark.driver.inmemory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingTest {

    private static final byte[] NOTHING = {};

    private static Message message(int number) {
        return new Message(null, NOTHING, number, 0);
    }

    @ParameterizedTest
    @CsvSource({"4, 4", "5, 8", "8, 8", "4096, 4096", "4097, 8192"})
    void theCapacityIsRoundedUp(int asked, int capacity) {
        Ring ring = new Ring(asked);
        assertThat(ring.hasRoom(capacity)).isTrue();
        assertThat(ring.hasRoom(capacity + 1)).isFalse();
        for (int i = 0; i < capacity; i++) {
            assertThat(ring.hasRoom(1)).isTrue();
            ring.put(message(i));
        }
        assertThat(ring.hasRoom(1)).isFalse();
    }

    @Test
    void messagesComeOutInOrderRoundAfterRound() {
        Ring ring = new Ring(4);
        for (int round = 0; round < 30; round++) {
            for (int i = 0; i < 3; i++) {
                ring.put(message(3 * round + i));
            }
            for (int i = 0; i < 3; i++) {
                assertThat(ring.peek()).isEqualTo(message(3 * round + i));
                ring.remove();
            }
            assertThat(ring.peek()).isNull();
        }
    }

    @Test
    void thereIsRoomForAsManyAsWereTaken() {
        Ring ring = new Ring(4);
        for (int i = 0; i < 4; i++) {
            ring.put(message(i));
        }
        ring.remove();
        ring.remove();
        assertThat(ring.hasRoom(2)).isTrue();
        assertThat(ring.hasRoom(3)).isFalse();
    }
}
