package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.result.PlanPlace;
import io.openmessaging.benchmark.result.RunResult;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of an invocation's results: for each run a JSON file, next to it the interval log with the extension
 * {@code .hlog}, and on request one log per worker. No existing file is ever overwritten (except in the folder of a
 * plan), and no file ever exists in part: an empty file reserves the name, the text is written under another name, and
 * that file then replaces the empty one.
 *
 * <p>Safe for several threads and processes at once.
 */
public final class ResultFiles {

    private static final String JSON = ".json";
    private static final String LOG = ".hlog";
    private static final String IN_PROGRESS = ".part";

    /** The limit beyond which more files of the same name indicate a mistake. */
    private static final int MAX_NUMBER = 1000;

    /** Keeps file names within the 255 bytes that file systems allow. */
    private static final int MAX_NAME_PART = 100;

    private static final Pattern UNSUITABLE = Pattern.compile("^\\.|[^A-Za-z0-9._+-]");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd-HH-mm-ss", Locale.ROOT);

    private final Path folder;
    private final @Nullable Path file;
    private final @Nullable PlanPlace place;
    private final ZoneId zone;
    private final int workerLogs;

    private ResultFiles(Path folder, @Nullable Path file, @Nullable PlanPlace place, ZoneId zone, int workerLogs) {
        this.folder = folder;
        this.file = file;
        this.place = place;
        this.zone = zone;
        this.workerLogs = workerLogs;
    }

    /**
     * Creates a file for each run, in a folder that is created if necessary. As in OMB, files are named
     * {@code <workload file>-<driver>-<local time>.json}; if that name exists, a number is added.
     */
    public static ResultFiles inFolder(Path folder) {
        return inFolder(folder, ZoneId.systemDefault());
    }

    static ResultFiles inFolder(Path folder, ZoneId zone) {
        return new ResultFiles(folder, null, null, zone, 0);
    }

    /** Writes to the given file, for a single run. Its folder is created if necessary. */
    public static ResultFiles toFile(Path file) {
        Path folder = file.getParent();
        return new ResultFiles(folder == null ? Path.of("") : folder, file, null, ZoneId.systemDefault(), 0);
    }

    /**
     * Writes the file of one run of a plan. The folder belongs to the plan: an existing file of that name is from an
     * interrupted attempt at the same run, and is replaced.
     */
    public static ResultFiles ofPlan(Path file, PlanPlace place) {
        return new ResultFiles(file.resolveSibling(""), file, place, ZoneId.systemDefault(), 0);
    }

    /**
     * Returns a copy that also writes an interval log of each worker.
     *
     * @param workers number of workers, whose figures the runs keep; 0 for no such logs
     */
    public ResultFiles withWorkerLogs(int workers) {
        return new ResultFiles(folder, file, place, zone, workers);
    }

    /** The folder of the results. */
    public Path folder() {
        return folder;
    }

    /** Returns the interval log that belongs to a result's JSON file. */
    public static Path logOf(Path jsonFile) {
        return beside(jsonFile, LOG);
    }

    /**
     * Returns the interval log of one worker that belongs to a result's JSON file.
     *
     * @param number number of the worker, from 1
     */
    public static Path workerLogOf(Path jsonFile, int number) {
        return beside(jsonFile, "-worker-" + number + LOG);
    }

    private static Path beside(Path jsonFile, String end) {
        return jsonFile.resolveSibling(stem(String.valueOf(jsonFile.getFileName())) + end);
    }

    private List<Path> filesOf(Path jsonFile) {
        List<Path> files = new ArrayList<>(List.of(jsonFile, logOf(jsonFile)));
        for (int number = 1; number <= workerLogs; number++) {
            files.add(workerLogOf(jsonFile, number));
        }
        return files;
    }

    /**
     * Checks, before anything is run, whether results can be written; creates the folder if necessary.
     *
     * @throws ResultFileException if results cannot be written, with a sentence for the user
     */
    public void check() throws ResultFileException {
        if (file != null) {
            for (Path each : filesOf(file)) {
                refuseExisting(each);
            }
        }
        try {
            tryOut(folder);
        } catch (IOException e) {
            throw new ResultFileException(shown(folder) + ": cannot write results: " + reason(e), e);
        }
    }

    /**
     * Checks as {@link #check} does, as far as possible without creating anything: for a dry run.
     *
     * @throws ResultFileException if results could not be written, with a sentence for the user
     */
    public void look() throws ResultFileException {
        if (file != null) {
            for (Path each : filesOf(file)) {
                refuseExisting(each);
            }
        }
        look(folder);
    }

    /** Checks whether the folder can be written or, if it does not exist, created in its nearest existing parent. */
    public static void look(Path folder) throws ResultFileException {
        Path there = folder.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        String problem = !Files.isDirectory(there)
                ? there + " is in the way: a file, not a folder"
                : !Files.isWritable(there) ? "permission denied in " + there : null;
        if (problem != null) {
            throw new ResultFileException(shown(folder) + ": cannot write results: " + problem, null);
        }
    }

    /** Creates the folder if necessary, and briefly a file in it. */
    static void tryOut(Path folder) throws IOException {
        create(folder);
        Files.delete(Files.createTempFile(folder, "check", IN_PROGRESS));
    }

    static void create(Path folder) throws IOException {
        // Check first: up to Java 19, createDirectories fails at a link to a folder.
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
    }

    private static void refuseExisting(Path file) throws ResultFileException {
        if (Files.isDirectory(file)) {
            throw new ResultFileException(shown(file) + ": is a folder, must be the name of a file", null);
        }
        if (Files.exists(file)) {
            throw new ResultFileException(
                    file + ": already exists and would be overwritten; name another file, or remove it", null);
        }
    }

    /**
     * Writes the result and, before it, its interval logs. A given file that was created after {@link #check} is not
     * overwritten: a number is added to the name, because the result of a long run must not be lost.
     *
     * @return the JSON file
     * @throws ResultFileException if the result cannot be written, with a sentence for the user; then none of the
     *     files remains
     */
    public Path write(RunResult result) throws ResultFileException {
        try {
            create(folder);
            Path jsonFile = file != null && place != null ? own(file) : claim(folder, result);
            return writeAs(jsonFile, result);
        } catch (IOException e) {
            throw new ResultFileException(shown(folder) + ": the result could not be written: " + reason(e), e);
        }
    }

    /**
     * The outcome of writing a result to another folder than planned.
     *
     * @param file the JSON file; null if it could not be written anywhere
     * @param problem a sentence for the user that names the reason and the result's location
     */
    public record Elsewhere(@Nullable Path file, String problem) {}

    /**
     * Writes a result into another folder, because the result of a long run must not be lost.
     *
     * @param others the folders to try, in order, each created if necessary
     * @param why the reason that the result could not be written to its planned folder
     */
    public Elsewhere writeElsewhere(RunResult result, List<Path> others, ResultFileException why) {
        StringBuilder problem = new StringBuilder(String.valueOf(why.getMessage()));
        for (Path other : others) {
            try {
                create(other);
                Path jsonFile = writeAs(claim(other, result), result);
                return new Elsewhere(jsonFile, problem + "; it is in " + jsonFile);
            } catch (IOException e) {
                problem.append("; nor in ").append(other).append(": ").append(reason(e));
            }
        }
        return new Elsewhere(
                null, problem + "; free some space before the next run, or name another file with --output");
    }

    /** Folders that may have room if the planned folder has none. */
    public static List<Path> otherFolders() {
        return Stream.of("user.home", "java.io.tmpdir")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .map(path -> Path.of(path, "benchmark-results"))
                .toList();
    }

    private Path writeAs(Path jsonFile, RunResult result) throws IOException {
        try {
            replace(logOf(jsonFile), HdrLog.render(result));
            // Rendered and written one at a time, since they may be large.
            for (int number = 1; number <= workerLogs; number++) {
                replace(workerLogOf(jsonFile, number), HdrLog.render(result, number - 1));
            }
            replace(jsonFile, ResultJson.render(result, place));
            return jsonFile;
        } catch (IOException | RuntimeException e) {
            deleteAfter(e, filesOf(jsonFile));
            throw e;
        }
    }

    /** Returns the file of a run of a plan, after deleting the logs of more workers than there are now. */
    private Path own(Path jsonFile) throws IOException {
        int number = workerLogs + 1;
        while (Files.deleteIfExists(workerLogOf(jsonFile, number))) {
            number++;
        }
        return jsonFile;
    }

    private static void deleteAfter(Exception error, List<Path> files) {
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                error.addSuppressed(e);
            }
        }
    }

    /** Creates all files, empty, under the first free name, which is then reserved. */
    private Path claim(Path claimed, RunResult result) throws IOException {
        String name = file == null ? nameOf(result) : String.valueOf(file.getFileName());
        for (int number = 1; number <= MAX_NUMBER; number++) {
            Path jsonFile = claimed.resolve(number == 1 ? name : numbered(name, number));
            if (reserve(filesOf(jsonFile))) {
                return jsonFile;
            }
        }
        throw new IOException("there are " + MAX_NUMBER + " files named " + name + " already");
    }

    private static String numbered(String name, int number) {
        String stem = stem(name);
        return stem + "-" + number + name.substring(stem.length());
    }

    /** Creates all files; returns false and leaves none behind if one of them already exists. */
    private static boolean reserve(List<Path> files) throws IOException {
        List<Path> created = new ArrayList<>();
        try {
            for (Path file : files) {
                Files.createFile(file);
                created.add(file);
            }
            return true;
        } catch (FileAlreadyExistsException e) {
            deleteAfter(e, created);
            return false;
        } catch (IOException e) {
            deleteAfter(e, created);
            throw e;
        }
    }

    /** Writes or replaces a file as a whole; it never exists in part. */
    public static void replace(Path file, String text) throws IOException {
        Path inProgress = file.resolveSibling(file.getFileName() + IN_PROGRESS);
        try {
            Files.writeString(inProgress, text);
            Files.move(inProgress, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(inProgress);
        }
    }

    private String nameOf(RunResult result) {
        Instant end = Instant.ofEpochSecond(TimeUnit.NANOSECONDS.toSeconds(result.endNs()));
        return suitable(result.workload().baseName()) + "-"
                + suitable(result.driver().name()) + "-"
                + TIME.format(end.atZone(zone)) + JSON;
    }

    private static String suitable(String text) {
        String suitable = UNSUITABLE.matcher(text).replaceAll("_");
        return suitable.length() <= MAX_NAME_PART ? suitable : suitable.substring(0, MAX_NAME_PART);
    }

    private static String stem(String fileName) {
        return fileName.endsWith(JSON) && fileName.length() > JSON.length()
                ? fileName.substring(0, fileName.length() - JSON.length())
                : fileName;
    }

    private static Path shown(Path folder) {
        return folder.toString().isEmpty() ? Path.of(".") : folder;
    }

    /** Returns the reason of an error; the JDK's own messages are often no more than a path. */
    public static String reason(IOException error) {
        if (error instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (error instanceof FileAlreadyExistsException existing) {
            return existing.getFile() + " is in the way: a file, not a folder";
        }
        if (error instanceof NoSuchFileException missing) {
            return "there is no " + missing.getFile();
        }
        if (error instanceof NotDirectoryException notFolder) {
            return notFolder.getFile() + " is not a folder";
        }
        String reason = error instanceof FileSystemException fileError ? fileError.getReason() : error.getMessage();
        return reason == null
                ? error.toString()
                : reason.substring(0, 1).toLowerCase(Locale.ROOT) + reason.substring(1);
    }
}
