package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A member in this process that is reached through bytes, with a clock of its own if the test wants, and lost when the
 * test decides.
 */
public final class TestMember implements Member {

    /** Timing that calls off no load, since a busy machine may be late. */
    public static final Timing TIMING = new Timing(
            Duration.ofMillis(20),
            Duration.ofMillis(10),
            Duration.ofMillis(5),
            Duration.ofMinutes(-1),
            Duration.ofMillis(20),
            Duration.ofNanos(100_000));

    /** Seconds by which the members' clocks are ahead, in turn. */
    private static final long[] AHEAD_S = {10, -10, 0};

    private final String name;
    private final WorkerEndpoint endpoint;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(TestMember::daemon);
    private volatile Runnable giveUp = () -> {};
    private volatile Offset clock;
    private volatile @Nullable String lost;
    private volatile @Nullable RuntimeException refusal;
    private volatile String progress = "";

    TestMember(int index, Worker worker, Offset clock) {
        this.name = nameOf(index);
        this.endpoint = new WorkerEndpoint(() -> worker);
        this.clock = clock;
    }

    static String nameOf(int index) {
        return "worker " + (index + 1) + " (test)";
    }

    /** Creates members with clocks of their own. */
    public static List<TestMember> of(int count, FakeSystem system, EpochClock clock, UnaryOperator<Worker> way) {
        List<TestMember> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long aheadNs = TimeUnit.SECONDS.toNanos(AHEAD_S[i % AHEAD_S.length]);
            Worker worker = TestDrivers.worker(system, clock.shiftedBy(aheadNs));
            members.add(new TestMember(i, way.apply(worker), new Offset(aheadNs, 0)));
        }
        return members;
    }

    /** Makes the member lost from now on. */
    public void lose(String reason) {
        lost = reason;
    }

    /** Lets all requests fail before they are sent, from now on. */
    void refuse(RuntimeException error) {
        refusal = error;
    }

    /** Sets the known offset of the member's clock from now on. */
    void setClock(Offset offset) {
        clock = offset;
    }

    /** Sets the progress that the member reports from now on. */
    void setProgress(String text) {
        progress = text;
    }

    @Override
    public String name() {
        return name;
    }

    private static Thread daemon(Runnable task) {
        Thread made = new Thread(task, "member");
        made.setDaemon(true);
        return made;
    }

    @Override
    public CompletableFuture<WireReply> exchange(Request request, byte[] body) {
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        CompletableFuture<WireReply> answer = new CompletableFuture<>();
        Future<?> task = thread.submit(() -> {
            try {
                answer.complete(endpoint.exchange(request, body));
            } catch (InterruptedException e) {
                answer.complete(WireReply.failed("given up"));
            }
        });
        giveUp = () -> {
            task.cancel(true);
            // Ends a request that had not begun.
            thread.execute(() -> answer.complete(WireReply.failed("given up")));
        };
        return answer;
    }

    @Override
    public void giveUp() {
        giveUp.run();
    }

    @Override
    public long roundTripNs() {
        return 0;
    }

    @Override
    public Offset clock() {
        return clock;
    }

    @Override
    public String progress() {
        return progress;
    }

    @Override
    public Optional<String> lost() {
        return Optional.ofNullable(lost);
    }
}
