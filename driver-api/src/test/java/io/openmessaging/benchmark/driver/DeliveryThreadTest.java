package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeliveryThreadTest {

    private static final DriverThreads THREADS = DriverThreads.of(DeliveryThreadTest.class);

    private static ConsumerSpec spec(MessageListener listener) {
        return new ConsumerSpec(7, new TopicSpec("t", 1), "s", listener);
    }

    private static DeliveryThread thread() {
        return Objects.requireNonNull(DeliveryThread.of(
                spec(new MessageListener() {
                    @Override
                    public void received(@Nullable String key, byte[] payload, int partition) {}

                    @Override
                    public boolean mayBlock() {
                        return true;
                    }
                }),
                THREADS));
    }

    @Test
    void aListenerThatDoesNotBlockNeedsNone() {
        assertThat(DeliveryThread.of(spec((key, payload, partition) -> {}), THREADS))
                .isNull();
    }

    @Test
    void callsAreInOrderOnOneThread() throws InterruptedException {
        int calls = 100;
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<String> names = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch done = new CountDownLatch(calls);
        try (DeliveryThread thread = thread()) {
            for (int i = 0; i < calls; i++) {
                int number = i;
                thread.execute(() -> {
                    order.add(number);
                    names.add(Thread.currentThread().getName());
                    done.countDown();
                });
            }
            Patience.await("all calls", done);
        }
        assertThat(order).isEqualTo(IntStream.range(0, calls).boxed().toList());
        assertThat(names).containsOnly("consumer-7-0");
    }

    @Test
    void closingInterruptsTheCallThatGoesOnAndDropsTheOthers() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        DeliveryThread thread = thread();
        thread.execute(() -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                seen.add("interrupted");
            }
        });
        thread.execute(() -> seen.add("called after the close"));
        Patience.await("the first call", inside);
        thread.close();
        thread.execute(() -> seen.add("called after the close"));
        assertThat(seen).containsExactly("interrupted");
    }

    /** A client that requests everything at once does not fill the memory. */
    @Test
    void whoeverIsFarAheadWaits() throws InterruptedException {
        int calls = 10_010;
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(calls);
        CountDownLatch handedOver = new CountDownLatch(calls);
        try (DeliveryThread thread = thread()) {
            Thread client = new Thread(() -> {
                for (int i = 0; i < calls; i++) {
                    thread.execute(() -> {
                        try {
                            goOn.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        done.countDown();
                    });
                    handedOver.countDown();
                }
            });
            client.start();
            Patience.until("the client to wait", () -> client.getState() == Thread.State.TIMED_WAITING);
            // One is in its call, and 10,000 wait.
            assertThat(handedOver.getCount()).isEqualTo(calls - 10_001);
            goOn.countDown();
            Patience.await("all calls", done);
            Patience.join(client);
        }
    }
}
