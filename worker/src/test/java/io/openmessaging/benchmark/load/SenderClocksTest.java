package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.suite.Patience;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SenderClocksTest {

    /** Creates clocks for producers that are on the workers in turn. */
    private static SenderClocks of(int worker, int workers) {
        return new SenderClocks(worker, workers, producer -> producer % workers);
    }

    @Test
    void aClockIsComparedWithTheReceiversAndBothMayBeWrong() {
        SenderClocks clocks = of(1, 3);
        clocks.tell(List.of(Offset.NONE, new Offset(100, 7), new Offset(-30, 20)));
        assertThat(clocks.of(3)).isEqualTo(new Offset(-100, 7));
        assertThat(clocks.of(4)).isNull();
        assertThat(clocks.of(5)).isEqualTo(new Offset(-130, 27));
        clocks.tell(List.of(new Offset(5, 0), new Offset(101, 1), new Offset(-30, Long.MAX_VALUE)));
        assertThat(clocks.of(3)).isEqualTo(new Offset(-96, 1));
        assertThat(clocks.of(4)).isNull();
        assertThat(clocks.of(5)).isEqualTo(new Offset(-131, Long.MAX_VALUE));
    }

    @Test
    void asLongAsNothingIsToldClocksMayBeApartByAnyTime() {
        SenderClocks clocks = of(0, 2);
        assertThat(clocks.of(0)).isNull();
        assertThat(clocks.of(1)).isEqualTo(new Offset(0, Long.MAX_VALUE));
    }

    @Test
    void aTableOfOtherWorkersIsRefused() {
        SenderClocks clocks = of(0, 2);
        assertThatThrownBy(() -> clocks.tell(List.of(Offset.NONE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("got clocks of 1 workers, but the run has 2");
    }

    /**
     * Each table is consistent: a reader that found half of one would see a bound that does not belong to the offset.
     */
    @Test
    void whoReadsWhileATableIsReplacedFindsOneOfThem() throws InterruptedException {
        SenderClocks clocks = of(0, 2);
        clocks.tell(List.of(Offset.NONE, new Offset(0, 0)));
        AtomicReference<@Nullable Offset> wrong = new AtomicReference<>();
        CountDownLatch told = new CountDownLatch(1);
        Thread reader = new Thread(() -> {
            while (told.getCount() > 0) {
                Offset read = clocks.of(1);
                if (read == null || read.aheadNs() != read.boundNs()) {
                    wrong.set(read);
                }
            }
        });
        reader.start();
        for (long i = 1; i <= 20_000; i++) {
            clocks.tell(List.of(Offset.NONE, new Offset(i, i)));
        }
        told.countDown();
        Patience.join(reader);
        assertThat(wrong).hasValue(null);
        assertThat(clocks.of(1)).isEqualTo(new Offset(20_000, 20_000));
    }
}
