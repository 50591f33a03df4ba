package io.openmessaging.benchmark.result.file;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A result could not be written or read. The message is a sentence for the user. */
public final class ResultFileException extends IOException {

    private static final long serialVersionUID = 1L;

    /** With what went wrong beneath; null for nothing. */
    public ResultFileException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
