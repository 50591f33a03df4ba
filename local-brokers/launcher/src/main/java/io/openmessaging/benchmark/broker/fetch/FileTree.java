package io.openmessaging.benchmark.broker.fetch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Operations on whole folders. */
public final class FileTree {

    private FileTree() {}

    /** Deletes a folder with its content; deletes links, not their targets. A missing folder is not an error. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> contentFirst;
        try (Stream<Path> files = Files.walk(folder)) {
            contentFirst = files.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path file : contentFirst) {
            Files.deleteIfExists(file);
        }
    }
}
