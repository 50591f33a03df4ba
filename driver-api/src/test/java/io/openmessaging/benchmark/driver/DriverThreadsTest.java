package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class DriverThreadsTest {

    private final DriverThreads threads = DriverThreads.of(DriverThreadsTest.class);
    private final ClassLoader ofTheDriver = DriverThreadsTest.class.getClassLoader();

    @Test
    void aThreadSeesTheClassesOfTheDriver() {
        Thread thread = threads.daemon(() -> {}, "reader");
        assertThat(thread.getContextClassLoader()).isSameAs(ofTheDriver);
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("reader");
    }

    @Test
    void threadsAreNumbered() {
        ThreadFactory named = threads.named("io");
        assertThat(named.newThread(() -> {}).getName()).isEqualTo("io-0");
        assertThat(named.newThread(() -> {}).getName()).isEqualTo("io-1");
    }

    @Test
    void theCallingThreadSeesThemOnlyDuringTheAction() {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        ClassLoader other = new ClassLoader(null) {};
        current.setContextClassLoader(other);
        try {
            assertThat(threads.within(current::getContextClassLoader)).isSameAs(ofTheDriver);
            assertThat(current.getContextClassLoader()).isSameAs(other);
        } finally {
            current.setContextClassLoader(before);
        }
    }

    @Test
    void anInterruptDoesNotReachTheActionAndIsKept() throws Exception {
        Thread.currentThread().interrupt();
        boolean[] seen = {true};
        DriverThreads.uninterrupted(() -> seen[0] = Thread.currentThread().isInterrupted());
        assertThat(seen[0]).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptThatEndsTheActionIsKept() throws Exception {
        DriverThreads.uninterrupted(() -> {
            throw new InterruptedException();
        });
        assertThat(Thread.interrupted()).isTrue();
    }
}
