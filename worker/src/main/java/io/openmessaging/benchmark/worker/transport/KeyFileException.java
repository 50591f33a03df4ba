package io.openmessaging.benchmark.worker.transport;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A key file cannot be made or used. The message tells the user which file, why, and what to do. */
public final class KeyFileException extends Exception {

    private static final long serialVersionUID = 1L;

    KeyFileException(Path file, String problem, @Nullable Throwable cause) {
        super("key file " + file + ": " + problem, cause);
    }
}
