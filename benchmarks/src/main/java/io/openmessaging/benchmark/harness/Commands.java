package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.fetch.FileTree;
import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs commands in separate processes, each with a time limit. Closing deletes all files. */
final class Commands implements AutoCloseable {

    private static final long LIMIT_S = 300;

    private final Path home;
    private final Path folder;
    private final Set<Process> started = ConcurrentHashMap.newKeySet();
    private int number;

    private Commands(Path home, Path folder) {
        this.home = home;
        this.folder = folder;
        // A user who interrupts a benchmark also wants its processes to end.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> started.forEach(Process::destroyForcibly)));
    }

    /**
     * Creates a folder for files; runs nothing yet.
     *
     * @param home the checkout
     */
    static Commands begin(Path home) throws IOException {
        return new Commands(home, Files.createTempDirectory("bench"));
    }

    @Override
    public void close() throws IOException {
        FileTree.delete(folder);
    }

    Path home() {
        return home;
    }

    /**
     * Splits a command line into words and replaces each {@code %s} by the next value: each word is one argument,
     * whatever the value contains.
     */
    static List<String> words(String line, Object... values) {
        Iterator<Object> next = List.of(values).iterator();
        return new ArrayList<>(Stream.of(line.strip().split("\\s+"))
                .map(word ->
                        word.contains("%s") ? word.replace("%s", next.next().toString()) : word)
                .toList());
    }

    /** Starts a command of {@code bin/}; it fails if its exit code is above the highest. */
    Running startBin(int highestExitCode, String line, Object... values) throws IOException {
        List<String> command = words(line, values);
        command.set(0, home.resolve("bin").resolve(command.get(0)).toString());
        return start(highestExitCode, command);
    }

    /** Runs a Java program: options of the JVM, the class and its arguments, see {@link #words}; returns its output. */
    String java(String line, Object... values) throws IOException, InterruptedException {
        return startJava(line, values).awaitEnd();
    }

    /** Starts a Java program without waiting for it. */
    Running startJava(String line, Object... values) throws IOException {
        List<String> command = words(line, values);
        command.add(0, ProgramPath.ofThisJava("java"));
        return start(0, command);
    }

    /** Starts any program; it fails if its exit code is above the highest. */
    Running start(int highestExitCode, List<String> command) throws IOException {
        Path output = newPath(".out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // The script has already built the program; no sample should include the time of checking that.
        builder.environment().put("BENCHMARK_BUILD", "never");
        Process process = builder.start();
        started.add(process);
        return new Running(command, highestExitCode, process, output);
    }

    /**
     * A started command; killed if it is closed before its end.
     *
     * @param process for a command of {@code bin/}, the Java program that the script has become
     */
    record Running(List<String> command, int highestExitCode, Process process, Path output) implements AutoCloseable {

        private static final int POLL_MS = 50;

        /** Waits until the output matches the pattern that many times; returns the numbers in the matches. */
        List<Double> await(String pattern, int count) throws IOException, InterruptedException {
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
            while (true) {
                // The output of a vendor's tool may contain bytes that are not text.
                String printed = Files.readString(output, StandardCharsets.ISO_8859_1);
                List<Double> found = found(printed, pattern);
                if (found.size() >= count) {
                    return found.subList(0, count);
                }
                if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS) || System.nanoTime() - deadlineNs > 0) {
                    throw new IOException("expected " + count + " matches of " + pattern + " in:\n" + printed);
                }
            }
        }

        /** Waits for the end, and kills the process at the time limit; returns its output. */
        String awaitEnd() throws IOException, InterruptedException {
            try {
                if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                    throw new IOException(command + " has not ended within " + LIMIT_S + " s");
                }
            } finally {
                close();
            }
            String printed = Files.readString(output, StandardCharsets.UTF_8);
            if (process.exitValue() > highestExitCode) {
                throw new IOException(command + " ended with exit code " + process.exitValue() + ":\n" + printed);
            }
            return printed;
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** Returns a path for a new file, which is deleted with the commands. */
    Path newPath(String suffix) {
        return folder.resolve("file-" + ++number + suffix);
    }

    /** Writes a file with this text. */
    Path newFile(String suffix, String text) throws IOException {
        return Files.writeString(newPath(suffix), text);
    }

    /** Returns the last number matched by the pattern's first group. */
    static double lastNumber(String text, String pattern) throws IOException {
        List<Double> numbers = numbers(text, pattern);
        return numbers.get(numbers.size() - 1);
    }

    /** Returns the numbers matched by the pattern's first group, at least one. */
    static List<Double> numbers(String text, String pattern) throws IOException {
        List<Double> numbers = found(text, pattern);
        if (numbers.isEmpty()) {
            throw new IOException("expected " + pattern + " in:\n" + text);
        }
        return numbers;
    }

    /** Returns the numbers matched by the first group; if there is no group, 1 for each match. */
    private static List<Double> found(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.groupCount() == 0 ? 1.0 : Double.valueOf(found.group(1)))
                .toList();
    }
}
