package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.clock.WatchedClock;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.remote.Visit;
import io.openmessaging.benchmark.worker.remote.WorkerException;
import io.openmessaging.benchmark.worker.remote.Workers;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of {@code bin/benchmark workers}. */
@Command(
        name = WorkersCommand.NAME,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Checks workers before a run: are they reachable, of this build, free? A line for each: version, host,"
                    + " processors, round trip, how far its clock is from the one here and by how much that may be wrong.",
            "",
            "Free workers are claimed for the moment, to ask for their clocks; busy ones are left alone."
        },
        footer = {
            "",
            "Exit code: 0 all are reachable and of this build, free or busy; 1 one is not; 2 bad arguments.",
            "",
            "  bin/benchmark workers --workers https://w1:8080,https://w2:8080 --key bench.key"
        })
public final class WorkersCommand implements Callable<Integer> {

    /** Name of the command. */
    public static final String NAME = "workers";

    private static final int ALL_THERE = 0;
    private static final int NOT_ALL_THERE = 1;
    private static final int BAD_ARGUMENTS = 2;
    private static final int INTERRUPTED = 130;

    /** Returns the build of this process. */
    @FunctionalInterface
    public interface OwnBuild {
        /** Reads the build from the installation. */
        Build read() throws IOException;
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("unused") // read by picocli
    private boolean help;

    @Mixin
    private WorkerAddresses addresses = new WorkerAddresses();

    private final StopSignal stop;
    private final Path currentFolder;
    private final OwnBuild build;

    /**
     * Creates a command that is not parsed yet.
     *
     * @param stop requests the end
     * @param currentFolder may contain a workers file
     * @param build required of workers, too
     */
    public WorkersCommand(StopSignal stop, Path currentFolder, OwnBuild build) {
        this.stop = stop;
        this.currentFolder = currentFolder;
        this.build = build;
    }

    @Override
    public Integer call() throws ConfigException {
        try {
            WorkerAddresses.refuseSeveral(addresses.sources());
            FleetRequest asked = addresses
                    .request(currentFolder, Roles.MIXED, false, FleetRequest.Waits.with(addresses.timeouts()))
                    .orElseThrow(() -> new FleetException(
                            "benchmark: workers: none are given; use --workers URL,… or" + " --workers-file FILE"));
            Workers.ConnectOptions coordinator = Fleet.coordinator(asked, build.read());
            stop.interruptFrom();
            return look(asked.addresses().stream().map(Address::toString).toList(), coordinator);
        } catch (FleetException e) {
            return refused(String.valueOf(e.getMessage()));
        } catch (WorkerException e) {
            return refused(String.valueOf(Fleet.refused(e).getMessage()));
        } catch (IOException e) {
            return refused("benchmark: the installation cannot be read: " + e.getMessage());
        } catch (InterruptedException e) {
            return INTERRUPTED;
        } finally {
            stop.noInterrupts();
        }
    }

    private int refused(String why) {
        spec.commandLine().getErr().println(why);
        return BAD_ARGUMENTS;
    }

    private int look(List<String> urls, Workers.ConnectOptions coordinator)
            throws FleetException, WorkerException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, String> seenBefore = new HashMap<>();
        int exitCode = ALL_THERE;
        try (Visit visit = Visit.pay(urls, coordinator);
                FleetClocks clocks = FleetClocks.open()) {
            Map<String, WatchedClock> watched = new HashMap<>();
            for (Visit.Seen seen : visit.all()) {
                seen.claimed().ifPresent(free -> watched.put(seen.worker(), clocks.watch(seen.worker(), free)));
            }
            FleetClocks.await(List.copyOf(watched.values()));
            for (Visit.Seen seen : visit.all()) {
                String problem = seen.problem()
                        .or(() -> seen.info()
                                .map(info -> seenBefore.putIfAbsent(info.incarnation(), seen.worker()))
                                .map(same -> "is the same process as " + same))
                        .orElse(null);
                out.println(seen.worker() + ": " + describe(seen, watched.get(seen.worker()), problem));
                if (problem != null) {
                    exitCode = NOT_ALL_THERE;
                }
            }
        }
        return exitCode;
    }

    private static String describe(Visit.Seen seen, @Nullable WatchedClock watched, @Nullable String problem) {
        if (seen.info().isEmpty()) {
            return String.valueOf(problem);
        }
        WorkerInfo info = seen.info().get();
        String place =
                FleetClocks.describe(info, watched == null ? seen.roundTripNs() : FleetClocks.roundTripNs(watched));
        if (problem != null) {
            return place + ": " + problem;
        }
        return info.busy() != null
                ? place + ", busy: " + info.busy()
                : place + ", " + (watched == null ? "" : FleetClocks.describe(watched) + ", ") + "free";
    }
}
