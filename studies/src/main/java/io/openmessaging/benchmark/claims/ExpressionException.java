package io.openmessaging.benchmark.claims;

/** An expression that cannot be read, or that names what is not there. */
final class ExpressionException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int column;

    /**
     * @param column where, from 1
     * @param message what is wrong, without the place
     */
    ExpressionException(int column, String message) {
        super(message);
        this.column = column;
    }

    /** Where, from 1. */
    int column() {
        return column;
    }
}
