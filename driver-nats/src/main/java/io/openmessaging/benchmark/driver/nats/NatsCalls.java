package io.openmessaging.benchmark.driver.nats;

import io.nats.client.JetStreamApiException;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;

/** Threads and calls of the driver. */
final class NatsCalls {

    /** Daemon threads that see the driver's classes. */
    static final DriverThreads THREADS = DriverThreads.of(NatsCalls.class);

    /** Runs calls with a deadline, and words failures with {@link #reason}. */
    static final Calls CALLS = new Calls("nats", THREADS, NatsCalls::reason);

    /** A request of JetStream that has no answer after this time is sent again. */
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** The client's only sign that a request had no answer. */
    private static final String NO_ANSWER = "Timeout or no response";

    /** A cluster that has no leader at the moment. */
    private static final int NO_LEADER = 10_008;

    /** A message is sent again while the stream still stores the first one. */
    private static final int DUPLICATE_IN_PROCESS = 10_158;

    /** Too few servers for the copies of a stream; the message tells whether that is so for good. */
    private static final int TOO_FEW_SERVERS = 10_005;

    /** The leader of a cluster has not heard of one of the servers yet, as after a start or an election. */
    private static final String NOT_HEARD_OF = "peer offline";

    private static final Duration PAUSE = Duration.ofMillis(100);

    private NatsCalls() {}

    /** Returns how long to wait for the answer to one request, within the limit of a call. */
    static Duration answerWithin(Duration limit) {
        return limit.compareTo(ANSWER) < 0 ? limit : ANSWER;
    }

    /**
     * Returns a call that repeats its request of JetStream until it has a final answer: a server that dies takes requests
     * with it, and a cluster without a leader refuses them. The request may be repeated although it was carried out.
     */
    static Calls.Action repeated(Calls.Action request, Deadline deadline) {
        return () -> {
            while (true) {
                try {
                    request.run();
                    return;
                } catch (IOException | JetStreamApiException e) {
                    if (!isTemporary(e) || deadline.hasPassed()) {
                        throw e;
                    }
                }
                // A server without JetStream gives no answer at once.
                deadline.pause(PAUSE);
            }
        };
    }

    /** Returns whether a request of JetStream, or a message to a stream, may get another answer if it is repeated. */
    static boolean isTemporary(Exception failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof JetStreamApiException refusal) {
            int code = refusal.getApiErrorCode();
            return code == NO_LEADER
                    || code == DUPLICATE_IN_PROCESS
                    || code == TOO_FEW_SERVERS && message.contains(NOT_HEARD_OF);
        }
        return message.startsWith(NO_ANSWER);
    }

    /** Returns the messages of the error and its causes, each once. */
    static String reason(Throwable error) {
        return Calls.messages(
                error,
                one -> one instanceof CancellationException
                        ? "the connection was lost before the answer"
                        : Calls.message(one));
    }
}
