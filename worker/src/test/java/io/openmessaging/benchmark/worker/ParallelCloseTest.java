package io.openmessaging.benchmark.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ParallelCloseTest {

    private final ParallelClose close = new ParallelClose();

    @Test
    void nothingToCloseIsNoFailure() {
        close.all(List.of());
        assertThatCode(close::throwFirstFailure).doesNotThrowAnyException();
    }

    @Test
    void allAreClosedAtTheSameTime() {
        CountDownLatch together = new CountDownLatch(8);
        AtomicInteger closed = new AtomicInteger();
        AutoCloseable client = () -> {
            together.countDown();
            Patience.await("the others are closed meanwhile", together);
            closed.incrementAndGet();
        };
        close.all(Collections.nCopies(8, client));
        assertThat(closed).hasValue(8);
        assertThatCode(close::throwFirstFailure).doesNotThrowAnyException();
    }

    @Test
    void manyAreClosedByFewThreads() {
        AtomicInteger closed = new AtomicInteger();
        AutoCloseable client = closed::incrementAndGet;
        close.all(Collections.nCopies(1000, client));
        assertThat(closed).hasValue(1000);
    }

    @Test
    void aFailureDoesNotKeepTheOthersFromBeingClosed() {
        AtomicInteger closed = new AtomicInteger();
        List<AutoCloseable> clients = new ArrayList<>();
        clients.add(() -> {
            throw new DriverException("the first");
        });
        clients.add(closed::incrementAndGet);
        clients.add(() -> {
            throw new IllegalStateException("the second");
        });
        clients.add(closed::incrementAndGet);

        close.all(clients);

        assertThat(closed).hasValue(2);
        assertThatThrownBy(close::throwFirstFailure)
                .isInstanceOf(DriverException.class)
                .hasMessage("the first")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .singleElement()
                        .satisfies(second -> assertThat(second).hasMessage("the second")));
    }

    @Test
    void whatTheDriverDidNotExpectIsWrapped() {
        close.all(List.of(() -> {
            throw new NoSuchMethodError("Client.close");
        }));
        assertThatThrownBy(close::throwFirstFailure)
                .isInstanceOf(DriverException.class)
                .hasMessageContaining("closing a client failed")
                .hasMessageContaining("Client.close")
                .hasCauseInstanceOf(NoSuchMethodError.class);
    }

    @Test
    void theSameFailureOfAllIsKeptOnce() {
        DriverException broken = new DriverException("the broker is gone");
        AutoCloseable client = () -> {
            throw broken;
        };
        close.all(List.of(client, client));
        close.all(List.of(client));
        assertThatThrownBy(close::throwFirstFailure).isSameAs(broken);
        assertThat(broken.getSuppressed()).isEmpty();
    }

    @Test
    void anInterruptIsKeptUntilAllAreClosed() {
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicInteger closed = new AtomicInteger();
        Thread caller = Thread.currentThread();
        close.all(List.of(() -> {
            caller.interrupt();
            interrupted.countDown();
            closed.incrementAndGet();
        }));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted.getCount()).isZero();
        assertThat(closed).hasValue(1);
    }
}
