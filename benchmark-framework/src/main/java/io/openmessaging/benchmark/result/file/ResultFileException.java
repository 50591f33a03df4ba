package io.openmessaging.benchmark.result.file;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown if a result could not be written or read. The message is a sentence for the user. */
public final class ResultFileException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception with the underlying error; null if there is none. */
    public ResultFileException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
