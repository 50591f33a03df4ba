package io.openmessaging.benchmark.worker.server;

/** A request is not carried out. The message is for whoever made it. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * A refusal.
     *
     * @param status one of those in {@link io.openmessaging.benchmark.worker.transport.Paths}
     */
    Refusal(int status, String sentence) {
        // Strangers can cause as many as they like: without a stack trace they cost little.
        super(sentence, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
