package io.openmessaging.benchmark.driver.redis.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

class CommandPipelineTest {

    private static final Duration LIMIT = Patience.LIMIT;

    private static final String PING = "*1\r\n$4\r\nPING\r\n";

    private final List<Throwable> losses = new CopyOnWriteArrayList<>();
    private final List<RecordingCallback> callbacks = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private ScriptedServer server;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private CommandPipeline pipeline(int depth, boolean holdsBack, Duration timeout) {
        return new CommandPipeline(
                new PipelineSpec("replies", depth, holdsBack, timeout, null), server.link(), losses::add);
    }

    private RecordingCallback submit(CommandPipeline pipeline) throws InterruptedException {
        RecordingCallback callback = new RecordingCallback("command " + callbacks.size());
        callbacks.add(callback);
        pipeline.submit(new CommandArguments(Command.PING), callback);
        return callback;
    }

    private static void close(CommandPipeline pipeline) {
        pipeline.close(Deadline.in(LIMIT));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 64, 1000})
    void holdsTheSenderBackOnlyWhileItIsFull(int depth) throws Exception {
        CommandPipeline pipeline = pipeline(depth, false, LIMIT);
        for (int i = 0; i < depth; i++) {
            submit(pipeline);
        }
        CompletableFuture<Void> oneMore = CompletableFuture.runAsync(() -> {
            try {
                submit(pipeline);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(server.hear(PING.length() * depth)).isEqualTo(PING.repeat(depth));
        assertThat(oneMore).isNotDone();
        assertThat(callbacks.get(0).calls()).isZero();

        server.say("+PONG\r\n".repeat(depth));
        Patience.get("the command that was held back", oneMore);
        assertThat(server.hear(PING.length())).isEqualTo(PING);
        server.say("+PONG\r\n");
        close(pipeline);
        assertThat(callbacks).hasSize(depth + 1).allMatch(callback -> callback.acknowledgements() == 1);
        assertThat(losses).isEmpty();
    }

    @Test
    void anErrorFailsItsCommandAndNoOther() throws Exception {
        CommandPipeline pipeline = pipeline(8, false, LIMIT);
        for (int i = 0; i < 3; i++) {
            submit(pipeline);
        }
        server.say("+PONG\r\n-OOM no room\r\n:1\r\n");
        close(pipeline);
        assertThat(callbacks.get(0).acknowledgements()).isOne();
        assertThat(callbacks.get(1).failures())
                .singleElement()
                .isInstanceOf(JedisDataException.class)
                .hasToString("redis.clients.jedis.exceptions.JedisDataException: OOM no room");
        assertThat(callbacks.get(2).acknowledgements()).isOne();
    }

    @Test
    void whatIsUnderWayFailsWithTheConnectionAndSoDoesWhatComesLater() throws Exception {
        CommandPipeline pipeline = pipeline(8, false, LIMIT);
        for (int i = 0; i < 5; i++) {
            submit(pipeline);
        }
        server.say("+PONG\r\n+PO");
        callbacks.get(0).awaitAcknowledged(LIMIT);
        server.hangUp();
        for (RecordingCallback callback : callbacks.subList(1, 5)) {
            callback.awaitFailed(LIMIT);
        }
        Patience.until("the loss to be told", () -> losses.size() == 1);
        assertThat(pipeline.isLost()).isTrue();
        assertThat(submit(pipeline).failures()).singleElement().isSameAs(losses.get(0));
        close(pipeline);
        assertThat(callbacks).allMatch(callback -> callback.calls() == 1);
    }

    @Test
    void aSenderThatIsHeldBackIsFreedWhenTheConnectionIsLost() throws Exception {
        CommandPipeline pipeline = pipeline(1, false, LIMIT);
        submit(pipeline);
        CompletableFuture<RecordingCallback> blocked = CompletableFuture.supplyAsync(() -> {
            try {
                return submit(pipeline);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        server.hear(PING.length());
        server.hangUp();
        Patience.get("the sender that is held back", blocked).awaitFailed(LIMIT);
        close(pipeline);
    }

    @Test
    void aReplyToNothingEndsTheConnection() throws Exception {
        CommandPipeline pipeline = pipeline(8, false, LIMIT);
        server.say("-ERR max number of clients reached\r\n");
        Patience.until("the loss to be told", () -> losses.size() == 1);
        assertThat(losses.get(0))
                .hasMessageContaining("has sent a reply that belongs to no command")
                .hasMessageContaining("max number of clients reached");
        close(pipeline);
    }

    @Test
    void anAnswerThatDoesNotComeInTimeIsALoss() throws Exception {
        CommandPipeline pipeline = pipeline(8, false, Duration.ofMillis(200));
        RecordingCallback callback = submit(pipeline);
        // The first of the two reads may have started before there was a command.
        server.beSilent(2);
        assertThat(callback.awaitFailed(LIMIT)).hasMessageContaining("has not answered for 200 ms");
        close(pipeline);
    }

    @Test
    void silenceIsNoLossWhileNothingIsAsked() throws Exception {
        CommandPipeline pipeline = pipeline(8, false, LIMIT);
        server.beSilent(3);
        Patience.until("three limits to pass", () -> server.passedLimits() == 3);
        RecordingCallback callback = submit(pipeline);
        server.say("+PONG\r\n");
        callback.awaitAcknowledged(LIMIT);
        close(pipeline);
        assertThat(losses).isEmpty();
    }

    @Test
    void commandsThatAreHeldBackGoWithAFlush() throws Exception {
        CommandPipeline pipeline = pipeline(8, true, LIMIT);
        submit(pipeline);
        submit(pipeline);
        assertThat(server.unheard()).isZero();
        pipeline.flush();
        assertThat(server.hear(2 * PING.length())).isEqualTo(PING + PING);
        submit(pipeline);
        server.say("+PONG\r\n".repeat(3));
        close(pipeline);
        assertThat(callbacks).hasSize(3).allMatch(callback -> callback.acknowledgements() == 1);
    }

    @Test
    void aCloseThatIsInterruptedFailsWhatHasNoAnswer() throws Exception {
        CommandPipeline pipeline = pipeline(8, false, LIMIT);
        RecordingCallback callback = submit(pipeline);
        Thread.currentThread().interrupt();
        close(pipeline);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(callback.failures())
                .singleElement()
                .hasToString("java.io.IOException: The producer was closed before Redis had answered.");
        assertThat(losses).isEmpty();
    }

    // Messages that must be copied or synced before they are acknowledged

    private static final String WAIT = "*3\r\n$4\r\nWAIT\r\n$1\r\n1\r\n$3\r\n500\r\n";

    private static final String WAITAOF = "*4\r\n$7\r\nWAITAOF\r\n$1\r\n1\r\n$1\r\n1\r\n$3\r\n500\r\n";

    private CommandPipeline pipeline(int depth, boolean aof) {
        AcknowledgeAfter after = new AcknowledgeAfter(1, aof, Duration.ofMillis(500));
        return new CommandPipeline(new PipelineSpec("replies", depth, false, LIMIT, after), server.link(), losses::add);
    }

    @Test
    void oneQuestionCoversWhatCameInWhileTheOneBeforeWasOpen() throws Exception {
        CommandPipeline pipeline = pipeline(64, false);
        submit(pipeline);
        assertThat(server.hear(PING.length() + WAIT.length())).isEqualTo(PING + WAIT);
        for (int i = 0; i < 5; i++) {
            submit(pipeline);
        }
        server.say("+PONG\r\n:1\r\n");
        callbacks.get(0).awaitAcknowledged(LIMIT);
        assertThat(server.hear(5 * PING.length() + WAIT.length())).isEqualTo(PING.repeat(5) + WAIT);
        server.say("+PONG\r\n-OOM no room\r\n+PONG\r\n+PONG\r\n+PONG\r\n");
        assertThat(callbacks.get(2).awaitFailed(LIMIT)).hasMessage("OOM no room");
        assertThat(callbacks.get(1).calls()).as("not before the answer").isZero();
        server.say(":2\r\n");
        close(pipeline);
        assertThat(callbacks).allMatch(callback -> callback.calls() == 1);
        assertThat(callbacks.stream()
                        .mapToInt(RecordingCallback::acknowledgements)
                        .sum())
                .isEqualTo(5);
        assertThat(losses).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 64})
    void neverMoreAreUnderWayThanThePipelineIsDeep(int depth) throws Exception {
        CommandPipeline pipeline = pipeline(depth, true);
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
            try {
                for (int i = 0; i < 200; i++) {
                    submit(pipeline);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        int answered = 0;
        int inARow = 0;
        while (answered < 200) {
            if (server.hear(4).equals("*1\r\n")) {
                server.hear(PING.length() - 4);
                server.say("+PONG\r\n");
                inARow++;
                continue;
            }
            server.hear(WAIT.length() - 4);
            server.say(":1\r\n");
            assertThat(server.hear(WAITAOF.length())).isEqualTo(WAITAOF);
            assertThat(inARow).isBetween(1, depth);
            answered += inARow;
            inARow = 0;
            server.say("*2\r\n:1\r\n:1\r\n");
        }
        Patience.get("the end of sending", sending);
        close(pipeline);
        assertThat(callbacks).hasSize(200).allMatch(callback -> callback.acknowledgements() == 1);
    }

    @Test
    void whatIsMissingIsTheReason() throws Exception {
        CommandPipeline pipeline = pipeline(1, true);
        submit(pipeline);
        server.say("+PONG\r\n:0\r\n*2\r\n:1\r\n:0\r\n");
        assertThat(callbacks.get(0).awaitFailed(LIMIT))
                .hasMessage("only 0 of 1 replicas had the message on disk within 500 ms; Redis has the message in"
                        + " memory");
        submit(pipeline);
        server.say("+PONG\r\n:1\r\n*2\r\n:0\r\n:1\r\n");
        assertThat(callbacks.get(1).awaitFailed(LIMIT))
                .hasMessage("the append-only file was not on disk within 500 ms; Redis has the message in memory");
        submit(pipeline);
        server.say("+PONG\r\n-ERR unknown command\r\n-ERR unknown command 'WAITAOF'\r\n");
        assertThat(callbacks.get(2).awaitFailed(LIMIT)).hasMessage("ERR unknown command 'WAITAOF'");
        close(pipeline);
        assertThat(losses).isEmpty();
    }

    @Test
    void aLostConnectionFailsWhatWasTakenAndNotConfirmed() throws Exception {
        CommandPipeline pipeline = pipeline(8, false);
        submit(pipeline);
        server.hear(PING.length() + WAIT.length());
        server.say("+PONG\r\n");
        server.hangUp();
        callbacks.get(0).awaitFailed(LIMIT);
        close(pipeline);
        assertThat(callbacks.get(0).calls()).isOne();
    }

    @Test
    void nothingIsUnderWayOnALostConnectionAlsoIfSomethingWasHeldBack() throws Exception {
        CommandPipeline pipeline = pipeline(64, false);
        submit(pipeline);
        server.hear(PING.length() + WAIT.length());
        submit(pipeline);
        server.hangUp();
        callbacks.get(1).awaitFailed(LIMIT);
        Patience.until("the loss to be told", () -> losses.size() == 1);
        Patience.get("no answers", CompletableFuture.runAsync(() -> {
            try {
                pipeline.awaitAnswers(Deadline.in(LIMIT.multipliedBy(10)));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        close(pipeline);
    }
}
