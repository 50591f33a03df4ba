package io.openmessaging.benchmark.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs commands in processes of their own, each with a limit. Its files are gone when it is closed. */
final class Commands implements AutoCloseable {

    private static final long LIMIT_S = 300;

    private final Path home;
    private final Path folder;
    private int number;

    private Commands(Path home, Path folder) {
        this.home = home;
        this.folder = folder;
    }

    /**
     * Runs nothing yet.
     *
     * @param home the checkout
     */
    static Commands begin(Path home) throws IOException {
        return new Commands(home, Files.createTempDirectory("bench"));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    Path home() {
        return home;
    }

    /**
     * The words of a command line, in which {@code %s} stands for the next of the values: each word is one argument,
     * whatever is in it.
     */
    static List<String> words(String line, Object... values) {
        Iterator<Object> next = List.of(values).iterator();
        return Stream.of(line.strip().split("\\s+"))
                .map(word ->
                        word.contains("%s") ? word.replace("%s", next.next().toString()) : word)
                .toList();
    }

    /** A command of {@code bin/}; fails unless it ends with one of the exit codes. */
    String bin(List<Integer> exitCodes, String line, Object... values) throws IOException, InterruptedException {
        return startBin(exitCodes, line, values).awaitEnd();
    }

    private Running startBin(List<Integer> exitCodes, String line, Object... values) throws IOException {
        List<String> command = new ArrayList<>(words(line, values));
        command.set(0, home.resolve("bin").resolve(command.get(0)).toString());
        return start(exitCodes, command, Map.of());
    }

    /** A Java program: options of the JVM, the class and its arguments, see {@link #words}. */
    String java(String line, Object... values) throws IOException, InterruptedException {
        return startJava(line, values).awaitEnd();
    }

    /** Starts a Java program, to be awaited later. */
    Running startJava(String line, Object... values) throws IOException {
        List<String> command = new ArrayList<>(words(line, values));
        command.add(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        return start(List.of(0), command, Map.of());
    }

    /** Any program, with variables added to the environment. */
    String program(Map<String, String> variables, List<String> command) throws IOException, InterruptedException {
        return start(List.of(0), command, variables).awaitEnd();
    }

    private Running start(List<Integer> exitCodes, List<String> command, Map<String, String> variables)
            throws IOException {
        Path output = newPath(".out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // Built by the script before; no sample is to pay for looking.
        builder.environment().put("BENCHMARK_BUILD", "never");
        builder.environment().putAll(variables);
        return new Running(command, exitCodes, builder.start(), output);
    }

    /** A command that has been started; killed when it is closed before its end. */
    static final class Running implements AutoCloseable {

        private static final int POLL_MS = 50;

        private final List<String> command;
        private final List<Integer> exitCodes;
        private final Process process;
        private final Path output;

        private Running(List<String> command, List<Integer> exitCodes, Process process, Path output) {
            this.command = command;
            this.exitCodes = exitCodes;
            this.process = process;
            this.output = output;
        }

        /** Its process; of a command of {@code bin/}, the Java program that the script has become. */
        long pid() {
            return process.pid();
        }

        /** Waits until it has printed something. */
        void awaitOutput(String expected) throws IOException, InterruptedException {
            await(Pattern.quote(expected), 1);
        }

        /** Waits until it has printed that many numbers that the pattern's first group finds, and returns them. */
        List<Double> awaitNumbers(String pattern, int count) throws IOException, InterruptedException {
            return found(await(pattern, count), pattern).subList(0, count);
        }

        private String await(String pattern, int count) throws IOException, InterruptedException {
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
            while (true) {
                // Not everything that a vendor's tool prints is text.
                String printed = Files.readString(output, StandardCharsets.ISO_8859_1);
                if (Pattern.compile(pattern).matcher(printed).results().count() >= count) {
                    return printed;
                }
                if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS) || System.nanoTime() - deadlineNs > 0) {
                    throw new IOException("expected " + count + " times " + pattern + " in:\n" + printed);
                }
            }
        }

        /** Waits for the end, killing it if it does not come, and returns what it has printed. */
        String awaitEnd() throws IOException, InterruptedException {
            try {
                if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                    throw new IOException(command + " has not ended within " + LIMIT_S + " s");
                }
            } finally {
                process.destroyForcibly();
            }
            String printed = Files.readString(output, StandardCharsets.UTF_8);
            if (!exitCodes.contains(process.exitValue())) {
                throw new IOException(command + " ended with exit code " + process.exitValue() + ":\n" + printed);
            }
            return printed;
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** A place for a file, which is gone when the commands are. */
    Path newPath(String suffix) {
        return folder.resolve("file-" + ++number + suffix);
    }

    /** A file with this text. */
    Path newFile(String suffix, String text) throws IOException {
        return Files.writeString(newPath(suffix), text);
    }

    /**
     * Runs a workload, given as YAML, and returns the result. A run that a finding makes INVALID is a result, too.
     *
     * @param driver a driver's file
     */
    JsonNode benchmark(Path driver, String workload) throws IOException, InterruptedException {
        Path result = newPath(".json");
        bin(List.of(0, 1), "benchmark -d %s -o %s %s", driver, result, newFile(".yaml", workload));
        return JsonMapper.shared().readTree(result.toFile());
    }

    /** Starts a run with local brokers, to be awaited later, which writes its result. */
    Running startLocal(Path driver, String workload, Path result) throws IOException {
        return startBin(
                List.of(0, 1), "benchmark --brokers local -d %s -o %s %s", driver, result, newFile(".yaml", workload));
    }

    /** The last number that the pattern's first group has found. */
    static double lastNumber(String text, String pattern) throws IOException {
        List<Double> numbers = numbers(text, pattern);
        return numbers.get(numbers.size() - 1);
    }

    /** The numbers that the pattern's first group has found, at least one. */
    static List<Double> numbers(String text, String pattern) throws IOException {
        List<Double> numbers = found(text, pattern);
        if (numbers.isEmpty()) {
            throw new IOException("expected " + pattern + " in:\n" + text);
        }
        return numbers;
    }

    private static List<Double> found(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> Double.valueOf(found.group(1)))
                .toList();
    }
}
