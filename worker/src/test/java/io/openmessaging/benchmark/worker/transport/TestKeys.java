package io.openmessaging.benchmark.worker.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Key files for tests, made once: the JDK's tool takes a second for each. */
public final class TestKeys {

    private static final Path FOLDER = folder();
    private static final KeyFile OURS = make("ours.key");
    private static final KeyFile OTHERS = make("others.key");

    private TestKeys() {}

    private static Path folder() {
        try {
            Path folder = Files.createTempDirectory("keys");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyFile make(String name) {
        Path file = FOLDER.resolve(name);
        file.toFile().deleteOnExit();
        try {
            KeyMaker.make(file);
            return KeyFile.read(file);
        } catch (KeyFileException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The key of both sides. */
    public static KeyFile ours() {
        return OURS;
    }

    /** A key of the same kind that neither side knows. */
    public static KeyFile others() {
        return OTHERS;
    }
}
