package io.openmessaging.benchmark.broker.fetch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders as a whole. */
public final class FileTree {

    private FileTree() {}

    /** Deletes a folder with all that is in it, links and not what they point to; one that is gone is no error. */
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
