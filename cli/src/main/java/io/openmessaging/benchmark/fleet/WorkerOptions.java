package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.WorkersFile;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.worker.group.Roles;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options about workers, for every command that uses them. */
public final class WorkerOptions {

    /** Looked for in the current folder, as OMB does. */
    private static final String DEFAULT_FILE = "workers.yaml";

    private static final int MAX_PROCESSES = 64;

    @Option(
            names = {"-w", "--workers"},
            split = ",",
            paramLabel = "URL",
            description = {
                "Workers that share the load, such as https://w1:8080, separated by commas; each of them is",
                "a bin/benchmark-worker. Without workers the load comes from this process."
            })
    private List<String> workers = List.of();

    @Option(
            names = {"-wf", "--workers-file"},
            paramLabel = "FILE",
            description =
                    "The same as a YAML file with the list 'workers' (default: workers.yaml of this folder, if any).")
    private @Nullable Path workersFile;

    @Option(
            names = "--local-workers",
            paramLabel = "N",
            description = "Starts N worker processes on this machine, for the time of the runs.")
    private @Nullable Integer localWorkers;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "The key file that the workers have as well; needed for https.")
    private @Nullable Path key;

    @Option(
            names = "--insecure",
            description = "Allows http to workers on other machines: their network can read and change everything.")
    private boolean insecure;

    @Option(
            names = "--roles",
            paramLabel = "ROLES",
            description = {
                "mixed: all workers send and receive (default);",
                "split: the first half sends, the others receive, as in OMB."
            })
    private @Nullable Choice roles;

    @Option(
            names = {"-x", "--extra"},
            description = "As --roles split, but a third of the workers sends and two thirds receive, as in OMB.")
    private boolean extra;

    /** What {@code --roles} takes. */
    enum Choice {
        MIXED,
        SPLIT
    }

    /**
     * The workers that are asked for; empty for none.
     *
     * @param currentFolder where a workers file may be
     * @throws FleetException if options contradict each other, or an address cannot be used
     * @throws ConfigException if the workers file is wrong
     */
    public Optional<FleetRequest> request(Path currentFolder) throws FleetException, ConfigException {
        refuseTwoSources();
        if (localWorkers != null) {
            return Optional.of(processes(localWorkers));
        }
        Path inFolder = currentFolder.resolve(DEFAULT_FILE);
        Path file = workersFile == null && workers.isEmpty() && Files.exists(inFolder) ? inFolder : workersFile;
        List<String> listed =
                file == null ? checked(workers) : WorkersFile.read(file).workers();
        if (listed.isEmpty()) {
            refuseWithoutWorkers();
            return Optional.empty();
        }
        FleetRequest request = new FleetRequest(listed.stream().map(URI::create).toList(), 0, key, insecure, roles());
        refuseOpenRoads(request, file == null ? "--workers" : file.toString());
        return Optional.of(request);
    }

    /** The rules of the file hold here as well. */
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

    private void refuseTwoSources() throws FleetException {
        Map<String, Boolean> sources = new LinkedHashMap<>();
        sources.put("--workers", !workers.isEmpty());
        sources.put("--workers-file", workersFile != null);
        sources.put("--local-workers", localWorkers != null);
        List<String> given = sources.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
        if (given.size() > 1) {
            throw new FleetException("benchmark: " + String.join(" and ", given) + ": only one of them");
        }
        if (extra && roles == Choice.MIXED) {
            throw new FleetException("benchmark: --extra: not with --roles mixed, where all workers receive");
        }
    }

    private FleetRequest processes(int count) throws FleetException {
        if (count < 1 || count > MAX_PROCESSES) {
            throw new FleetException(
                    "benchmark: --local-workers: must be from 1 to " + MAX_PROCESSES + ", got " + count);
        }
        if (key != null || insecure) {
            throw new FleetException("benchmark: " + (key == null ? "--insecure" : "--key")
                    + ": not with --local-workers, which listen on this machine alone");
        }
        return new FleetRequest(List.of(), count, null, false, roles());
    }

    private Roles roles() {
        return extra ? Roles.SPLIT_WITH_MORE_CONSUMERS : roles == Choice.SPLIT ? Roles.SPLIT : Roles.MIXED;
    }

    /** Whether {@code --extra} was given: OMB takes it without workers, too. */
    public boolean extra() {
        return extra;
    }

    /** An option that has no effect would be a misunderstanding. */
    private void refuseWithoutWorkers() throws FleetException {
        String without = key != null ? "--key" : insecure ? "--insecure" : roles != null ? "--roles" : "";
        if (!without.isEmpty()) {
            throw new FleetException(
                    "benchmark: " + without + ": only with workers (--workers, --workers-file or --local-workers)");
        }
    }

    private void refuseOpenRoads(FleetRequest request, String source) throws FleetException {
        List<String> problems = new ArrayList<>();
        boolean secured = false;
        for (URI worker : request.addresses()) {
            boolean https = "https".equals(worker.getScheme());
            secured |= https;
            if (https && key == null) {
                problems.add("benchmark: " + source + ": " + worker + " needs --key FILE, the key that the worker has"
                        + " as well; bin/benchmark-worker --new-key FILE makes one");
            } else if (!https && !insecure && !FleetRequest.isLoopback(worker)) {
                problems.add("benchmark: " + source + ": " + worker + " is on another machine: use https:// and --key,"
                        + " or --insecure in a network of your own");
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
