package io.openmessaging.benchmark.config.payload;

/** Thrown if a payload file cannot be sent; the message is a part of a sentence whose subject is the file. */
final class BadRecordException extends Exception {

    private static final long serialVersionUID = 1;

    BadRecordException(String message) {
        super(message);
    }
}
