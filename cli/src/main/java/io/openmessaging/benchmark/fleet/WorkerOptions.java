package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.remote.WorkerTimeouts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options about workers, for every command that runs a load. */
public final class WorkerOptions {

    static final String WAIT = "--wait-for-workers";
    static final String WITHOUT_LOST = "--without-lost";

    private static final int MAX_PROCESSES = 64;

    @Mixin
    private WorkerAddresses addresses = new WorkerAddresses();

    @Option(names = "--local-workers", paramLabel = "N", description = "Starts N workers on this machine for the runs.")
    private @Nullable Integer localWorkers;

    @Option(
            names = "--roles",
            paramLabel = "ROLES",
            description = "mixed (default), or split: half send, half receive.")
    private @Nullable Choice roles;

    @Option(
            names = {"-x", "--extra"},
            description = "As --roles split, but a third sends, as in OMB.")
    private boolean extra;

    @Option(names = "--worker-logs", description = "Writes an HdrHistogram log of each worker, too.")
    private boolean workerLogs;

    @Option(names = WAIT, paramLabel = "TIME", description = "Waits up to TIME for workers: busy ones, or away.")
    private @Nullable String waitForWorkers;

    @Option(names = WITHOUT_LOST, description = "A plan goes on without workers that stay lost.")
    private boolean withoutLost;

    /** Values of {@code --roles}. */
    enum Choice {
        MIXED,
        SPLIT
    }

    /**
     * Returns the requested workers; empty for none.
     *
     * @param currentFolder may contain a workers file
     * @throws FleetException if options contradict each other, or an address cannot be used
     * @throws ConfigException if the workers file is wrong
     */
    public Optional<FleetRequest> request(Path currentFolder) throws FleetException, ConfigException {
        List<String> sources = new ArrayList<>(addresses.sources());
        if (localWorkers != null) {
            sources.add("--local-workers");
        }
        WorkerAddresses.refuseSeveral(sources);
        if (extra && roles == Choice.MIXED) {
            throw new FleetException("benchmark: --extra: conflicts with --roles mixed, where all workers receive");
        }
        if (localWorkers != null) {
            return Optional.of(processes(localWorkers));
        }
        Optional<FleetRequest> listed = addresses.request(
                currentFolder,
                roles(),
                workerLogs,
                new FleetRequest.Waits(addresses.timeouts(), forWorkers(), withoutLost));
        if (listed.isEmpty()) {
            refuseWithoutWorkers();
        }
        return listed;
    }

    private FleetRequest processes(int count) throws FleetException {
        if (count < 1 || count > MAX_PROCESSES) {
            throw new FleetException(
                    "benchmark: --local-workers: must be from 1 to " + MAX_PROCESSES + ", got " + count);
        }
        String way = addresses.way();
        if (!way.isEmpty()) {
            throw new FleetException(
                    "benchmark: " + way + ": conflicts with --local-workers, which listen on this machine only");
        }
        if (waitForWorkers != null || withoutLost) {
            throw new FleetException("benchmark: " + (withoutLost ? WITHOUT_LOST : WAIT)
                    + ": conflicts with --local-workers, which are started when they are needed");
        }
        FleetRequest.Waits waits = FleetRequest.Waits.with(addresses.timeouts());
        return new FleetRequest(List.of(), count, null, false, roles(), workerLogs, waits);
    }

    private @Nullable Duration forWorkers() throws FleetException {
        if (waitForWorkers == null) {
            return null;
        }
        return DurationText.parse(waitForWorkers)
                .orElseThrow(() -> new FleetException(
                        "benchmark: %s: %s, got '%s'".formatted(WAIT, DurationText.RULE, waitForWorkers)));
    }

    private Roles roles() {
        return extra ? Roles.SPLIT_WITH_MORE_CONSUMERS : roles == Choice.SPLIT ? Roles.SPLIT : Roles.MIXED;
    }

    /** Returns whether {@code --extra} was given; OMB accepts it without workers, too. */
    public boolean extra() {
        return extra;
    }

    /** Refuses options that have no effect: the user has misunderstood them. */
    private void refuseWithoutWorkers() throws FleetException {
        Optional<String> without = Stream.of(
                        addresses.way(),
                        roles == null ? "" : "--roles",
                        workerLogs ? "--worker-logs" : "",
                        waitForWorkers == null ? "" : WAIT,
                        withoutLost ? WITHOUT_LOST : "",
                        addresses.isLimited() ? WorkerTimeouts.OPTION : "")
                .filter(option -> !option.isEmpty())
                .findFirst();
        if (without.isPresent()) {
            throw new FleetException(
                    "benchmark: " + without.get() + ": needs workers (--workers, --workers-file or --local-workers)");
        }
    }
}
