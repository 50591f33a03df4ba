package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverException;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PersistenceTest {

    private static final Persistence THREE = new Persistence(3, 3, 2, true, false, null);

    @Test
    void enoughBookiesStoreWhatIsAsked() throws Exception {
        assertThat(THREE.possible(OptionalInt.of(3))).isEqualTo(THREE);
        assertThat(THREE.inWords(OptionalInt.of(3))).isEqualTo("ensemble size 3, write quorum 3, ack quorum 2");
    }

    @Test
    void anUnknownNumberOfBookiesIsTakenToBeEnough() throws Exception {
        assertThat(THREE.possible(OptionalInt.empty())).isEqualTo(THREE);
    }

    @Test
    void tooFewBookiesAreAnErrorThatSaysWhatToDo() {
        assertThatThrownBy(() -> THREE.possible(OptionalInt.of(1)))
                .isInstanceOf(DriverException.class)
                .hasMessage("The driver file requires more bookies than exist (client.persistence: ensemble size 3,"
                        + " write quorum 3, ack quorum 2), and Pulsar has 1: lower the numbers, or set"
                        + " adjustToBookies: true");
        assertThat(THREE.inWords(OptionalInt.of(1))).endsWith("; impossible, because the number of bookies is 1");
    }

    @Test
    void theSmallerOnesOfTwoAreThoseOfEach() {
        Persistence other = new Persistence(4, 2, 2, false, true, true);
        assertThat(THREE.smaller(other)).isEqualTo(new Persistence(3, 2, 2, true, false, null));
    }

    @Test
    void ifAllowedTheNumbersAreLoweredAndItIsSaid() throws Exception {
        Persistence adjustable = THREE.adjustable();
        assertThat(adjustable.possible(OptionalInt.of(2))).isEqualTo(new Persistence(2, 2, 2, true, true, null));
        assertThat(adjustable.inWords(OptionalInt.of(2)))
                .isEqualTo("ensemble size 2, write quorum 2, ack quorum 2; lowered from ensemble size 3, write quorum"
                        + " 3, ack quorum 2, because the number of bookies is 2");
    }
}
