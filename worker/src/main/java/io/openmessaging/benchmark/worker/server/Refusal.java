package io.openmessaging.benchmark.worker.server;

/** A request was refused. The message is for its sender. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * Creates a refusal.
     *
     * @param status a status from {@link io.openmessaging.benchmark.worker.transport.Paths}
     */
    Refusal(int status, String sentence) {
        // Strangers can cause any number of these: without a stack trace they cost little.
        super(sentence, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
