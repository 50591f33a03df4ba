package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.remote.Workers;
import io.openmessaging.benchmark.worker.transport.Build;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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
            "Exit code: 0 all can be used, or are busy; 1 one is unreachable; 2 one has another build or key, or",
            "bad arguments.",
            "",
            "  bin/benchmark workers --workers https://w1:8080,https://w2:8080 --key bench.key"
        })
public final class WorkersCommand implements Callable<Integer> {

    /** Name of the command. */
    public static final String NAME = "workers";

    private static final int ALL_THERE = 0;
    private static final int AWAY = 1;
    private static final int REFUSED = 2;
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
        PrintWriter out = spec.commandLine().getOut();
        try {
            WorkerAddresses.refuseSeveral(addresses.sources());
            FleetRequest asked = addresses
                    .request(currentFolder, Roles.MIXED, false, FleetRequest.Waits.with(addresses.timeouts()))
                    .orElseThrow(() -> new FleetException(
                            "benchmark: workers: none are given; use --workers URL,… or --workers-file FILE"));
            Workers.ConnectOptions coordinator = Fleet.coordinator(asked, build.read(), out::println);
            stop.leadsTo("the check ends");
            stop.interruptFrom();
            Inspection seen = Inspection.of(asked.addresses(), coordinator);
            seen.lines().forEach(out::println);
            return seen.problems().isEmpty() ? ALL_THERE : seen.mayPass() ? AWAY : REFUSED;
        } catch (FleetException e) {
            return refused(String.valueOf(e.getMessage()));
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
        return REFUSED;
    }
}
