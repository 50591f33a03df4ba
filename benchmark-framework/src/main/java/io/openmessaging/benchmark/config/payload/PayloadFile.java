package io.openmessaging.benchmark.config.payload;

import io.openmessaging.benchmark.driver.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The source of a workload's payloads: a file with one payload, or one or several files with many records.
 *
 * @param path the file, or the folder of the files
 * @param rules rules for the records to send; null if the file is a single payload
 * @param counts number of payloads by size in bytes
 */
public record PayloadFile(Path path, @Nullable Rules rules, SortedMap<Integer, Long> counts) {

    /** The workload key that names the file. */
    private static final String KEY = "payloadFile";

    /**
     * The rules for the records to send.
     *
     * @param format format that separates the records
     * @param skipBelow size below which records are left out
     * @param padTo size up to which shorter records are padded with spaces
     * @param least minimum size of the other records
     */
    public record Rules(RecordFormat format, int skipBelow, int padTo, Least least) {}

    /**
     * The smallest size that a workload can use.
     *
     * @param bytes size of a message
     * @param reason part of a sentence that follows the number
     */
    public record Least(int bytes, String reason) {}

    /**
     * The places in which a file is looked up.
     *
     * @param name name of the file, as the user wrote it
     * @param workload the workload file
     * @param home the project's home folder
     */
    public record SearchPath(String name, Path workload, Path home) {

        private Optional<Path> find(boolean folder) {
            return Stream.of(Path.of(name), home.resolve(name), workload.resolveSibling(name))
                    .filter(path -> folder ? Files.isDirectory(path) : Files.isRegularFile(path))
                    .findFirst();
        }
    }

    /**
     * Looks up a payload file and checks it.
     *
     * @param rules rules for the records to send; null if the file must be a single payload
     * @param messageSizeBytes required size of a single payload; below 1 if the size has a problem of its own
     * @return empty if there is a problem
     */
    public static Optional<PayloadFile> find(
            SearchPath place, @Nullable Rules rules, int messageSizeBytes, Problems problems) {
        try {
            boolean folder = rules != null && rules.format == RecordFormat.FILES;
            Optional<Path> found = place.find(folder);
            if (found.isEmpty()) {
                throw new BadRecordException(missing(place, folder));
            }
            Path path = found.get();
            if (!Files.isReadable(path)) {
                throw new BadRecordException("must be readable");
            }
            if (rules == null) {
                checkSize(Files.size(path), messageSizeBytes);
                return Optional.of(new PayloadFile(path, null, new TreeMap<>(Map.of(messageSizeBytes, 1L))));
            }
            return Optional.of(new PayloadFile(path, rules, counts(PayloadRecords.read(path, rules))));
        } catch (BadRecordException e) {
            problems.add(KEY, String.valueOf(e.getMessage()), place.name);
        } catch (InvalidPathException | IOException e) {
            problems.add(KEY, "must be a file that can be read: " + e.getMessage(), place.name);
        }
        return Optional.empty();
    }

    private static void checkSize(long sizeBytes, int messageSizeBytes) throws BadRecordException {
        if (sizeBytes != messageSizeBytes && messageSizeBytes > 0) {
            throw new BadRecordException("must have %d bytes (messageSize), has %d; a file of many records needs"
                            .formatted(messageSizeBytes, sizeBytes)
                    + " payloadRecords instead of messageSize");
        }
    }

    private static String missing(SearchPath place, boolean folder) {
        String suggestion = folder
                ? ", but a file: payloadRecords: LINES or LENGTH_PREFIXED sends its records"
                : ", but a folder: payloadRecords: FILES sends its files";
        return "there is no such %s in the current folder, in %s or beside the workload%s"
                .formatted(
                        folder ? "folder" : "file",
                        place.home,
                        place.find(!folder).isPresent() ? suggestion : "");
    }

    private static SortedMap<Integer, Long> counts(List<byte[]> contents) {
        return contents.stream()
                .map(content -> content.length)
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }

    /**
     * Returns the payloads in order. They are read anew each time, so that a plan of many runs keeps none of them in
     * memory.
     *
     * @throws IOException if the files cannot be read; also, with a sentence, if they have changed since they were
     *     checked
     */
    public List<byte[]> contents() throws IOException {
        List<byte[]> contents;
        try {
            contents = rules == null ? List.of(Files.readAllBytes(path)) : PayloadRecords.read(path, rules);
        } catch (BadRecordException e) {
            throw new IOException(path + " " + e.getMessage(), e);
        }
        if (!counts(contents).equals(counts)) {
            throw new IOException(path + " has changed since the workload was read");
        }
        return contents;
    }

    /** Returns all files with payloads. */
    public List<Path> files() throws IOException {
        return rules != null && rules.format == RecordFormat.FILES ? PayloadRecords.filesOf(path) : List.of(path);
    }
}
