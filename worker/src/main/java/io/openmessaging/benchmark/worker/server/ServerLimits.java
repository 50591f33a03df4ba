package io.openmessaging.benchmark.worker.server;

import java.time.Duration;

/**
 * What anybody can use of a worker's server. The numbers are this project's own; nothing that a run does comes near them.
 *
 * @param strangerBodyBytes the largest body of a request that belongs to no session
 * @param bodyBytes the largest body of one that does
 * @param idle how long a connection may be silent
 * @param requestTime how long a connection may take for a whole request, counted from when it was opened or had its last
 *     answer: whoever sends a byte now and then is not silent
 * @param connections how many there may be at a time
 * @param threads how many serve them; none of them waits for a step
 * @param answerWithin how long a step may take before it is answered by how far it is
 */
public record ServerLimits(
        int strangerBodyBytes,
        int bodyBytes,
        Duration idle,
        Duration requestTime,
        int connections,
        int threads,
        Duration answerWithin) {

    /** What a worker begins with. */
    public static ServerLimits defaults() {
        return new ServerLimits(
                16 * 1024,
                64 * 1024 * 1024,
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                128,
                16,
                Duration.ofSeconds(1));
    }
}
