package io.openmessaging.benchmark.worker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerEndpointTest {

    /** A run that is ended closes its worker concurrently with a step that does not end, such as the first. */
    @Test
    void aWorkerIsCreatedOnceAlthoughTwoRequestsNeedIt() throws Exception {
        AtomicInteger created = new AtomicInteger();
        CountDownLatch entered = new CountDownLatch(1);
        CompletableFuture<Worker> worker = new CompletableFuture<>();
        WorkerEndpoint endpoint = new WorkerEndpoint(() -> {
            created.incrementAndGet();
            entered.countDown();
            return worker.join();
        });
        FutureTask<?> step = new FutureTask<>(() -> endpoint.exchange(Request.FINISH, new byte[0]));
        new Thread(step, "step").start();
        Patience.await("the worker is being created", entered);
        FutureTask<?> close = new FutureTask<>(() -> endpoint.exchange(Request.CLOSE, new byte[0]));
        Thread closing = new Thread(close, "closing");
        closing.start();
        Patience.until(
                "the closing waits, too",
                () -> EnumSet.of(Thread.State.BLOCKED, Thread.State.WAITING).contains(closing.getState()));
        worker.complete(TestDrivers.worker(new FakeSystem(), System::nanoTime));
        Patience.get("the step", step);
        Patience.get("the closing", close);
        assertThat(created).hasValue(1);
    }
}
