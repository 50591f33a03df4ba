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
 * Where a workload's payload comes from: a file with one, or one or several files with many records.
 *
 * @param path the file, or the folder of the files
 * @param rules which of its records are sent; null if the file is the one payload
 * @param counts how many payloads there are of each size in bytes
 */
public record PayloadFile(Path path, @Nullable Rules rules, SortedMap<Integer, Long> counts) {

    /** The key of a workload that names the file. */
    private static final String KEY = "payloadFile";

    /**
     * Which records are sent.
     *
     * @param format where each begins and ends
     * @param skipBelow those with fewer bytes are left out
     * @param padTo those with fewer bytes get spaces at their end
     * @param least what the others must have at least
     */
    public record Rules(RecordFormat format, int skipBelow, int padTo, Least least) {}

    /**
     * The least size that a workload has a use for.
     *
     * @param bytes of a message
     * @param reason a part of a sentence that follows the number
     */
    public record Least(int bytes, String reason) {}

    /**
     * Where a file is looked for.
     *
     * @param name of the file, as the user wrote it
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
     * Looks for a payload file and checks it.
     *
     * @param rules what is sent of its records; null if it is to be one payload
     * @param messageSizeBytes what the one payload must have; below 1 if that has a problem of its own
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
            throw new BadRecordException("must have %d bytes, the messageSize, has %d; a file of many records needs"
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
     * The payloads in their order, read anew: a plan of many runs keeps none of them.
     *
     * @throws IOException also if they are not what they were when they were checked; the message is a sentence
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

    /** All files that the payloads are in. */
    public List<Path> files() throws IOException {
        return rules != null && rules.format == RecordFormat.FILES ? PayloadRecords.filesOf(path) : List.of(path);
    }
}
