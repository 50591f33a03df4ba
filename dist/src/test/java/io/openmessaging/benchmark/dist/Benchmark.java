package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.CommandInProcess;
import io.openmessaging.benchmark.result.BusyMachine;
import io.openmessaging.benchmark.suite.BrokerStarts;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the {@code bin/benchmark} of this checkout in a folder of its own. */
final class Benchmark {

    static final Path HOME =
            Path.of(System.getProperty("benchmark.home", "..")).toAbsolutePath().normalize();

    /** Longest planned time of all runs together, including the download of a broker at its first use. */
    private static final Duration LONGEST = Duration.ofMinutes(8);

    /** Environment variable of every process that a command of a folder has started; its value is the folder. */
    private static final String MARK = "BENCHMARK_TEST_FOLDER";

    private static final Pattern STARTED = Pattern.compile("starting a local ([a-z]+)");

    private final Path folder;

    Benchmark(Path folder) {
        this.folder = folder;
    }

    /** Result of a command. */
    record Outcome(int exitCode, String out, String err) {

        /** Everything that was printed, for the message of a failed assertion. */
        String all() {
            return "exit code " + exitCode + "\n--- out\n" + out + "\n--- err\n" + err;
        }
    }

    /** Writes a file into the folder. */
    Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    Path folder() {
        return folder;
    }

    /** The path of a driver file that comes with the project. */
    static String shipped(String path) {
        return HOME.resolve(path).toString();
    }

    /** Starts the command and returns its process; output goes to the files {@code out} and {@code err}. */
    Process start(String... arguments) throws IOException {
        return start(List.of(), "bin/benchmark", "", arguments);
    }

    /**
     * Starts a command of the checkout; output goes to the files {@code out} and {@code err}, prefixed by {@code
     * name}.
     *
     * @param prefix words before the command, such as those that run it on another machine
     */
    Process start(List<String> prefix, String script, String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        // A shell that runs the tests in the background ignores INT, and its child processes inherit that.
        command.addAll(List.of("env", "--default-signal=INT"));
        command.add(HOME.resolve(script).toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve(name + "out").toFile())
                .redirectError(folder.resolve(name + "err").toFile());
        // The build that runs this test has already made the distribution.
        builder.environment().put("BENCHMARK_BUILD", "never");
        builder.environment().put(MARK, folder.toString());
        // Runs are too short for the second compiler to pay off.
        builder.environment().put("JVM_OPTS", "-XX:TieredStopAtLevel=1");
        return builder.start();
    }

    /** Runs the command to its end. */
    Outcome run(String... arguments) throws IOException, InterruptedException {
        return await(start(arguments));
    }

    /**
     * Executes {@code workload.yaml} on workers that have {@code bench.key}, and asserts that it {@link #assertRan ran};
     * output goes to {@code run-out} and {@code run-err}.
     *
     * @param prefix words before the command, such as those that run it on another machine
     * @param urls addresses of the workers, separated by commas
     * @param driver path of the driver file
     */
    Outcome runOnWorkers(List<String> prefix, String urls, String driver) throws IOException, InterruptedException {
        Process run = start(
                prefix,
                "bin/benchmark",
                "run-",
                "--workers",
                urls,
                "--key",
                "bench.key",
                "-d",
                driver,
                "workload.yaml");
        Outcome outcome = await(run, "run-");
        assertRan(outcome);
        return outcome;
    }

    /** Runs the command to its end in this process; not for commands that start brokers or receive signals. */
    Outcome runInProcess(String... arguments) throws InterruptedException {
        return await(new CommandInProcess(folder, arguments));
    }

    /** Waits for a started command. */
    static Outcome await(CommandInProcess command) throws InterruptedException {
        return new Outcome(command.exitCode(), command.out(), command.err());
    }

    /** Waits for a started command. */
    Outcome await(Process process) throws IOException, InterruptedException {
        return await(process, "");
    }

    /**
     * Waits for a started command.
     *
     * @param name prefix of the names of its output files
     */
    Outcome await(Process process, String name) throws IOException, InterruptedException {
        int exitCode = exitCode(process);
        String out = Files.readString(folder.resolve(name + "out"));
        STARTED.matcher(out).results().forEach(start -> BrokerStarts.count(start.group(1)));
        return new Outcome(exitCode, out, Files.readString(folder.resolve(name + "err")));
    }

    /** Waits for the end of a process that executes runs or fetches brokers; kills one that does not end. */
    static int exitCode(Process process) throws InterruptedException {
        if (!process.waitFor(Patience.LIMIT.plus(LONGEST).toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
        }
        return process.waitFor();
    }

    /** Sends a signal to a process, or to a process group, given as a negative number. */
    static void signal(String signal, long pid) throws IOException, InterruptedException {
        Patience.exitCode("kill", new ProcessBuilder("kill", "-" + signal, "--", Long.toString(pid)).start());
    }

    /** The standard output so far. */
    String printed() throws IOException {
        return printed("out");
    }

    private String printed(String file) throws IOException {
        Path printed = folder.resolve(file);
        return Files.exists(printed) ? Files.readString(printed) : "";
    }

    /** Waits until a command has printed something; fails at once if it ends before that. */
    void awaitPrinted(Process process, String text) throws IOException {
        Waiting.until(
                "'" + text.strip() + "' is printed",
                () -> !process.isAlive() || printed().contains(text));
        assertThat(printed()).as(printed("err")).contains(text);
    }

    /**
     * Processes of brokers that commands of this folder have started, and their watchers: all whose command line names
     * the checkout's brokers. Other such processes may belong to tests that run at the same time.
     */
    List<ProcessHandle> brokers() {
        return processes(HOME.resolve(".brokers").toString());
    }

    /** Processes that commands of this folder have started and whose command line contains a text. */
    List<ProcessHandle> processes(String text) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(text))
                .filter(this::isOfThisFolder)
                .toList();
    }

    private boolean isOfThisFolder(ProcessHandle process) {
        try {
            String environment = Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "environ"), StandardCharsets.ISO_8859_1);
            return List.of(environment.split("\0")).contains(MARK + "=" + folder);
        } catch (IOException e) {
            // The process has ended meanwhile.
            return false;
        }
    }

    /** The content of a file of the only start of workers by SSH. */
    String workerLog(String name) throws IOException {
        try (Stream<Path> starts = Files.list(folder.resolve("worker-logs"))) {
            List<Path> all = starts.toList();
            assertThat(all).hasSize(1);
            return Files.readString(all.get(0).resolve(name));
        }
    }

    /** The results written so far. */
    List<Path> resultFiles() throws IOException {
        Path results = folder.resolve("results");
        if (!Files.isDirectory(results)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(results)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Asserts that the run went to its end and, if it is INVALID, is so only for what a busy machine does to any run:
     * a test of something else must not depend on it.
     */
    void assertRan(Outcome outcome) throws IOException {
        assertThat(outcome.exitCode()).as(outcome.all()).isIn(0, 1);
        assertThat(resultFiles()).as(outcome.all()).isNotEmpty();
        for (Path file : resultFiles()) {
            JsonNode result = JsonMapper.shared().readTree(file.toFile());
            assertThat(BusyMachine.explains(result)).as(outcome.all()).isTrue();
        }
    }

    /** Asserts that the only subscription of the only result has received this number of messages, each once. */
    void assertAllArrived(int messages, Outcome outcome) throws IOException {
        JsonNode audit = result().path("audit");
        assertThat(audit.path("lost").asLong(-1)).as(outcome.all()).isZero();
        assertThat(audit.path("duplicated").asLong(-1)).as(outcome.all()).isZero();
        JsonNode subscription = audit.path("subscriptions").path(0);
        assertThat(subscription.path("received").asLong())
                .as(outcome.all())
                .isEqualTo(subscription.path("expected").asLong())
                .isEqualTo(messages);
    }

    /** The only result. */
    JsonNode result() throws IOException {
        List<Path> files = resultFiles();
        if (files.size() != 1) {
            throw new AssertionError("expected one result, found " + files);
        }
        return JsonMapper.shared().readTree(files.get(0).toFile());
    }
}
