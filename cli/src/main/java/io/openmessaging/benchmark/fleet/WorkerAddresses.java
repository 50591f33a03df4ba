package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.config.WorkersFile;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.remote.WorkerTimeout;
import io.openmessaging.benchmark.worker.remote.WorkerTimeouts;
import io.openmessaging.benchmark.worker.transport.Loopback;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name workers and say how they are reached. */
final class WorkerAddresses {

    /** Searched in the current folder, as OMB does. */
    private static final String DEFAULT_FILE = "workers.yaml";

    @Option(
            names = {"-w", "--workers"},
            split = ",",
            paramLabel = "URL,…",
            hideParamSyntax = true,
            description = "Workers that share the load: https://host:8080")
    private List<String> workers = List.of();

    @Option(
            names = {"-wf", "--workers-file"},
            paramLabel = "FILE",
            description = "A file that lists them (default: workers.yaml).")
    private @Nullable Path workersFile;

    @Option(names = "--key", paramLabel = "FILE", description = "The key file that workers have as well, for https.")
    private @Nullable Path key;

    @Option(names = "--insecure", description = "Allows http, which all can read and change.")
    private boolean insecure;

    @Option(
            names = WorkerTimeouts.OPTION,
            paramLabel = "NAME=TIME",
            description = "Limits such as lost=30s; a wrong NAME lists all.")
    private Map<WorkerTimeout, String> timeouts = Map.of();

    /** Returns those of the given options that name workers. */
    List<String> sources() {
        List<String> given = new ArrayList<>();
        if (!workers.isEmpty()) {
            given.add("--workers");
        }
        if (workersFile != null) {
            given.add("--workers-file");
        }
        return given;
    }

    /** Returns the option that says how workers are reached; empty if none was given. */
    String way() {
        return key != null ? "--key" : insecure ? "--insecure" : "";
    }

    /** Returns whether a time limit was given. */
    boolean isLimited() {
        return !timeouts.isEmpty();
    }

    /**
     * Returns the time limits for worker calls.
     *
     * @throws FleetException if one of them is not valid
     */
    WorkerTimeouts timeouts() throws FleetException {
        WorkerTimeouts all = WorkerTimeouts.defaults();
        for (Map.Entry<WorkerTimeout, String> given : timeouts.entrySet()) {
            Duration time = DurationText.parse(given.getValue())
                    .filter(duration -> !duration.isZero())
                    .orElseThrow(() -> new FleetException("benchmark: %s %s: %s, above 0, got '%s'"
                            .formatted(
                                    WorkerTimeouts.OPTION, given.getKey().key(), DurationText.RULE, given.getValue())));
            all = all.with(given.getKey(), time);
        }
        if (all.of(WorkerTimeout.SUSPECT).compareTo(all.of(WorkerTimeout.LOST)) > 0) {
            throw new FleetException("benchmark: %s: suspect (%s) must not be longer than lost (%s)"
                    .formatted(
                            WorkerTimeouts.OPTION,
                            DurationText.format(all.of(WorkerTimeout.SUSPECT)),
                            DurationText.format(all.of(WorkerTimeout.LOST))));
        }
        return all;
    }

    /** Refuses several sources, since it is unclear which one the user means. */
    static void refuseSeveral(List<String> sources) throws FleetException {
        if (sources.size() > 1) {
            throw new FleetException("benchmark: " + String.join(" and ", sources) + ": give only one of them");
        }
    }

    /**
     * Returns the existing workers; empty if none are named.
     *
     * @param currentFolder may contain a workers file
     * @param workerLogs whether each of them gets an interval log of its own
     * @param waits how long to wait for them
     * @throws FleetException if an address cannot be used
     * @throws ConfigException if the workers file is wrong
     */
    Optional<FleetRequest> request(Path currentFolder, Roles roles, boolean workerLogs, FleetRequest.Waits waits)
            throws FleetException, ConfigException {
        Path inFolder = currentFolder.resolve(DEFAULT_FILE);
        Path file = workersFile == null && workers.isEmpty() && Files.exists(inFolder) ? inFolder : workersFile;
        List<String> listed =
                file == null ? checked(workers) : WorkersFile.read(file).workers();
        if (listed.isEmpty()) {
            return Optional.empty();
        }
        FleetRequest request = new FleetRequest(
                listed.stream()
                        .map(address -> Address.parse(address, WorkersFile.WORKER))
                        .toList(),
                0,
                key,
                insecure,
                roles,
                workerLogs,
                waits);
        refuseInsecure(request, file == null ? "--workers" : file.toString());
        return Optional.of(request);
    }

    /** Checks addresses by the same rules as those in a file. */
    private static List<String> checked(List<String> given) throws FleetException {
        Problems problems = new Problems();
        if (!given.isEmpty()) {
            new WorkersFile(given).check(problems);
        }
        if (!problems.found().isEmpty()) {
            throw new FleetException(problems.found().stream()
                    .map(problem -> "benchmark: --" + problem)
                    .collect(Collectors.joining("\n")));
        }
        return given;
    }

    private void refuseInsecure(FleetRequest request, String source) throws FleetException {
        List<String> problems = new ArrayList<>();
        boolean secured = false;
        for (Address worker : request.addresses()) {
            boolean https = "https".equals(worker.scheme());
            secured |= https;
            if (https && key == null) {
                problems.add("benchmark: " + source + ": " + worker + " needs --key FILE, the key that the worker has"
                        + " as well; bin/benchmark-worker --new-key FILE creates one");
            } else if (!https && !insecure && !Loopback.isName(worker.host())) {
                problems.add("benchmark: " + source + ": " + worker + " is on another machine: use https:// and --key,"
                        + " or --insecure in a private network");
            }
        }
        if (key != null && !secured) {
            problems.add("benchmark: --key: has no effect, none of the workers is https://");
        }
        if (!problems.isEmpty()) {
            throw new FleetException(problems.stream().distinct().collect(Collectors.joining("\n")));
        }
    }
}
