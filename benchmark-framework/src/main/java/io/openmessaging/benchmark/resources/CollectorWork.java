package io.openmessaging.benchmark.resources;

/**
 * What one garbage collector of a JVM has done.
 *
 * @param collections how many, as the JVM counts them: what its log calls a pause, remark and cleanup aside
 * @param milliseconds how long they took, together
 */
public record CollectorWork(long collections, double milliseconds) {

    /** Nothing. */
    static final CollectorWork NONE = new CollectorWork(0, 0);

    CollectorWork plus(CollectorWork other) {
        return new CollectorWork(collections + other.collections, milliseconds + other.milliseconds);
    }

    /** What was done after that; all of it if less is counted now, by another process. */
    CollectorWork since(CollectorWork earlier) {
        return collections < earlier.collections || milliseconds < earlier.milliseconds
                ? this
                : new CollectorWork(collections - earlier.collections, milliseconds - earlier.milliseconds);
    }
}
