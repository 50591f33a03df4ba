package io.openmessaging.benchmark.load;

/** Throws any throwable anywhere, as code does that was not compiled from Java. */
final class Rethrow {

    private Rethrow() {}

    static RuntimeException unchecked(Throwable thrown) {
        return Rethrow.<RuntimeException>as(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException as(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
