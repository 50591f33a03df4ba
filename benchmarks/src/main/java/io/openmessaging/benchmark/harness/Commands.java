package io.openmessaging.benchmark.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
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
        deleteTree(folder);
    }

    /** Removes a folder with all that is in it. */
    static void deleteTree(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    Path home() {
        return home;
    }

    /** A command of {@code bin/}; fails unless it ends with one of the exit codes. */
    String bin(List<Integer> exitCodes, String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(command));
        all.set(0, home.resolve("bin").resolve(command[0]).toString());
        return run(exitCodes, all);
    }

    /** A Java program. */
    String java(String classPath, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath));
        all.addAll(List.of(arguments));
        return run(List.of(0), all);
    }

    /** A Java program with options of the JVM. */
    String java(List<String> optionsAndArguments) throws IOException, InterruptedException {
        try (Running running = startJava(optionsAndArguments)) {
            return running.awaitEnd();
        }
    }

    /** Any program, with variables added to the environment. */
    String program(Map<String, String> variables, List<String> command) throws IOException, InterruptedException {
        return run(List.of(0), command, variables);
    }

    private String run(List<Integer> exitCodes, List<String> command) throws IOException, InterruptedException {
        return run(exitCodes, command, Map.of());
    }

    private String run(List<Integer> exitCodes, List<String> command, Map<String, String> variables)
            throws IOException, InterruptedException {
        try (Running running = start(exitCodes, command, variables)) {
            return running.awaitEnd();
        }
    }

    /** Starts a Java program, with options of the JVM, to be awaited later. */
    Running startJava(List<String> optionsAndArguments) throws IOException {
        List<String> all = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        all.addAll(optionsAndArguments);
        return start(List.of(0), all, Map.of());
    }

    private Running start(List<Integer> exitCodes, List<String> command, Map<String, String> variables)
            throws IOException {
        Path output = folder.resolve("output-" + ++number);
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
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
            while (!Files.readString(output, StandardCharsets.ISO_8859_1).contains(expected)) {
                if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS) || System.nanoTime() - deadlineNs > 0) {
                    throw new IOException(command + " has not printed '" + expected + "':\n"
                            + Files.readString(output, StandardCharsets.ISO_8859_1));
                }
            }
        }

        /** Waits until it has printed that many numbers that the pattern's first group finds, and returns them. */
        List<Double> awaitNumbers(String pattern, int count) throws IOException, InterruptedException {
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
            while (true) {
                // Not everything that a vendor's tool prints is text.
                String printed = Files.readString(output, StandardCharsets.ISO_8859_1);
                List<Double> numbers = found(printed, pattern);
                if (numbers.size() >= count) {
                    return numbers.subList(0, count);
                }
                if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS) || System.nanoTime() - deadlineNs > 0) {
                    throw new IOException("expected " + count + " times " + pattern + " in:\n" + printed);
                }
            }
        }

        /** Waits for the end and returns what it has printed. */
        String awaitEnd() throws IOException, InterruptedException {
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                throw new IOException(command + " has not ended within " + LIMIT_S + " s");
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

    /** Runs a workload, given as YAML, and returns the result. A run that a finding makes INVALID is a result, too. */
    JsonNode benchmark(String driver, String workload) throws IOException, InterruptedException {
        String name = "run-" + ++number;
        Path file = Files.writeString(folder.resolve(name + ".yaml"), workload);
        Path result = folder.resolve(name + ".json");
        bin(List.of(0, 1), "benchmark", "-d", driver, "-o", result.toString(), file.toString());
        return JsonMapper.shared().readTree(result.toFile());
    }

    /** Starts a run of a workload, given as YAML, to be awaited later. */
    Running startBenchmark(String driver, String workload, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("run-" + ++number + ".yaml"), workload);
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/benchmark").toString(), "-d", driver, file.toString()));
        command.addAll(List.of(options));
        return start(List.of(0, 1), command, Map.of());
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
