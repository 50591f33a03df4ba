package io.openmessaging.benchmark.worker.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import io.openmessaging.benchmark.worker.remote.WorkerCalls.Reply;
import io.openmessaging.benchmark.worker.transport.Claimed;
import io.openmessaging.benchmark.worker.transport.Paths;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests whose answers the test decides. */
class RunExchangeTest {

    private static final byte[] BODY = {1, 2, 3};

    /** A request that the test answers. */
    private record Sent(String method, String path, CompletableFuture<Reply> reply) {

        void answer(int status, String text) {
            reply.complete(new Reply(status, "", text.getBytes(StandardCharsets.UTF_8)));
        }

        void fail(Throwable error) {
            reply.completeExceptionally(error);
        }
    }

    private final WorkerTimeouts timeouts = WorkerTimeouts.defaults()
            .with(WorkerTimeout.SUSPECT, Duration.ofHours(1))
            .with(WorkerTimeout.LOST, Duration.ofHours(2));
    private final WorkerCalls calls = new WorkerCalls("unused", null, timeouts);
    private final ClaimedWorker worker = worker();
    private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
    private final RunExchange run = new RunExchange(worker, this::send, 1, Optional::empty, Optional::empty);
    private boolean broken;

    private CompletableFuture<Reply> send(String method, String path, byte[] body) {
        if (broken) {
            throw new IllegalStateException("no threads");
        }
        Sent request = new Sent(method, path, new CompletableFuture<>());
        sent.add(request);
        return request.reply;
    }

    private ClaimedWorker worker() {
        try {
            return new ClaimedWorker(
                    WorkerUrl.parse(1, "http://127.0.0.1:1"),
                    "session",
                    new Claimed(
                            new WorkerInfo("host", Served.BUILD, "17", 1, "incarnation", null), 1000, new byte[0], 0),
                    new ClaimedWorker.Lines(calls, calls, timeouts),
                    new WorkerLiveness(timeouts, 1, System::nanoTime));
        } catch (WorkerException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        calls.close();
    }

    private Sent next() throws InterruptedException {
        return Patience.take("a request", sent);
    }

    private static void assertFails(CompletableFuture<WireReply> answer, String message) {
        assertThatThrownBy(() -> Patience.get("the answer", answer))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aStepIsSentUntilItIsAnswered() throws Exception {
        CompletableFuture<WireReply> answer = run.exchange(Request.STOP, BODY);
        next().answer(Paths.GOES_ON, "stop for 1 s");
        assertThat(run.progress()).isEqualTo("stop for 1 s");
        next().fail(new IOException("reset"));
        Sent last = next();
        assertThat(last.path).isEqualTo(Paths.step(1, 1, "stop"));
        assertThat(answer).isNotDone();
        last.answer(Paths.DONE, "7");
        assertThat(Patience.get("the answer", answer).body()).asString().isEqualTo("7");
        assertThat(run.progress()).isEmpty();

        CompletableFuture<WireReply> another = run.exchange(Request.STATUS, BODY);
        Sent second = next();
        assertThat(second.path).isEqualTo(Paths.step(1, 2, "status"));
        second.answer(Paths.FAILED, "no leader");
        assertThat(Patience.get("the answer", another).refused()).isTrue();
    }

    @Test
    void whatGivesAStepUpIsRepeatedIfItHasOvertakenTheStep() throws Exception {
        CompletableFuture<WireReply> answer = run.exchange(Request.PREPARE, BODY);
        Sent step = next();
        run.giveUp();
        Sent first = next();
        assertThat(first.method).isEqualTo("DELETE");
        assertThat(first.path).isEqualTo(step.path);
        first.answer(Paths.UNKNOWN, "there is no step 1 yet");
        Sent second = next();
        assertThat(second.method).isEqualTo("DELETE");
        second.answer(Paths.DONE, "given up");
        step.answer(Paths.GOES_ON, "prepare for 1 s");
        assertFails(answer, "prepare was given up");
        assertThat(sent).as("nothing is sent again").isEmpty();
    }

    @Test
    void aStepThatWasGivenUpIsNotSentAgainAfterAFailure() throws Exception {
        CompletableFuture<WireReply> answer = run.exchange(Request.PREPARE, BODY);
        Sent step = next();
        run.giveUp();
        assertThat(next().method).isEqualTo("DELETE");
        step.fail(new IOException("reset"));
        assertFails(answer, "prepare was given up");
        assertThat(sent).isEmpty();
    }

    @Test
    void aStepOfALostWorkerEndsWithTheReason() throws Exception {
        CompletableFuture<WireReply> answer = run.exchange(Request.STATUS, BODY);
        worker.ended();
        next().fail(new IOException("reset"));
        assertFails(answer, "lost: its process has ended");
    }

    /** Nobody waits for the future of a single request: its error must end the step. */
    @Test
    void anUnexpectedErrorEndsTheStep() throws Exception {
        CompletableFuture<WireReply> answer = run.exchange(Request.STATUS, BODY);
        broken = true;
        next().answer(Paths.GOES_ON, "status for 1 s");
        assertFails(answer, "no threads");
    }
}
