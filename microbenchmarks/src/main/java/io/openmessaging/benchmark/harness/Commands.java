package io.openmessaging.benchmark.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs commands in processes of their own, each with a limit. */
final class Commands {

    private static final long LIMIT_S = 300;

    private final Path home;
    private final Path folder;
    private int number;

    /**
     * Runs nothing yet.
     *
     * @param home the checkout
     * @param folder for files and results, existing
     */
    Commands(Path home, Path folder) {
        this.home = home;
        this.folder = folder;
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

    private String run(List<Integer> exitCodes, List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("output-" + ++number);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // Built by bin/bench-harness before; no sample is to pay for looking.
        builder.environment().put("BENCHMARK_BUILD", "never");
        Process process = builder.start();
        if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(command + " has not ended within " + LIMIT_S + " s");
        }
        String printed = Files.readString(output);
        if (!exitCodes.contains(process.exitValue())) {
            throw new IOException(command + " ended with exit code " + process.exitValue() + ":\n" + printed);
        }
        return printed;
    }

    /** Runs a workload, given as YAML, and returns the result. A run that a finding makes INVALID is a result, too. */
    JsonNode benchmark(String driver, String workload) throws IOException, InterruptedException {
        String name = "run-" + ++number;
        Path file = Files.writeString(folder.resolve(name + ".yaml"), workload);
        Path result = folder.resolve(name + ".json");
        bin(List.of(0, 1), "benchmark", "-d", driver, "-o", result.toString(), file.toString());
        return JsonMapper.shared().readTree(result.toFile());
    }

    /** The last number that the pattern's first group has found. */
    static double lastNumber(String text, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        String last = null;
        while (matcher.find()) {
            last = matcher.group(1);
        }
        if (last == null) {
            throw new IOException("expected " + pattern + " in:\n" + text);
        }
        return Double.parseDouble(last);
    }
}
