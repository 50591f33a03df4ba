package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.faults.ProcessSignals;
import io.openmessaging.benchmark.limits.LimitGroup;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The program behind {@code bin/broker}, which passes the home folder in the system property {@code benchmark.home}.
 * Exit codes: 0 done, 1 not running or failed, 2 wrong arguments.
 */
@Command(
        name = "bin/broker",
        description = "Starts, stops and shows real brokers on this machine.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = StartCommand.class,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done", "1:not running, or failed", "2:wrong arguments"})
@SuppressWarnings({"unused", "NullAway.Init"}) // picocli calls the commands and fills the fields
public final class BrokerCommand {

    /** Help text of the parameter that each command has. */
    static final String WHICH_BROKER = "Which broker, such as kafka.";

    /** Help text of the node parameter that some commands have. */
    static final String WHICH_NODE = "Which node, such as kafka-1; bin/broker status lists them.";

    /** How long a node may take to end by itself: nodes of a cluster first hand over to each other. */
    private static final Duration USUAL_GRACE = Duration.ofSeconds(30);

    private static final int POLL_MS = 200;

    private final Path home;
    private final List<LocalBroker> brokers;
    private final Duration stopGrace;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Shows this help.")
    private boolean help;

    private BrokerCommand(Path home, List<LocalBroker> brokers, Duration stopGrace) {
        this.home = home;
        this.brokers = brokers;
        this.stopGrace = stopGrace;
    }

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        Path home = Path.of(System.getProperty("benchmark.home", "."));
        System.exit(commandLine(home, LocalBroker.installed(), USUAL_GRACE).execute(arguments));
    }

    /**
     * Creates the command line.
     *
     * @param home the project's home folder
     * @param brokers the brokers that can be started
     * @param stopGrace how long a node may take to end before it is killed
     */
    static CommandLine commandLine(Path home, List<LocalBroker> brokers, Duration stopGrace) {
        return new CommandLine(new BrokerCommand(home, brokers, stopGrace))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(LocalBroker.class, name -> named(name, brokers))
                .setParameterExceptionHandler((failure, arguments) -> {
                    say(failure.getCommandLine(), advice(failure));
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failure, command, arguments) -> {
                    // Errors that the user can fix have their own sentence; all others at least show their type.
                    boolean worded = failure instanceof LocalBrokerException || failure instanceof UncheckedIOException;
                    say(command, worded ? failure.getMessage() : failure.toString());
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    /** Explains what is wrong with the arguments; for an unknown command, lists the commands. */
    private static @Nullable String advice(CommandLine.ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        if (failure instanceof CommandLine.UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && !command.getSubcommands().isEmpty()) {
            return "unknown command '" + unmatched.getUnmatched().get(0) + "'; known commands: "
                    + String.join(", ", command.getSubcommands().keySet());
        }
        return failure.getMessage();
    }

    private static void say(CommandLine command, @Nullable String failure) {
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + failure);
    }

    private static LocalBroker named(String name, List<LocalBroker> brokers) {
        return brokers.stream()
                .filter(broker -> broker.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("unknown broker '" + name + "'; known brokers: "
                        + brokers.stream().map(LocalBroker::name).sorted().collect(Collectors.joining(", "))));
    }

    Path home() {
        return home;
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    RunFolder folder(LocalBroker broker) {
        return new RunFolder(home, broker.name());
    }

    @Command(description = "Stops a broker and removes its data, or stops one of its nodes and keeps that node's data.")
    int stop(
            @Parameters(paramLabel = "NAME", description = WHICH_BROKER) LocalBroker broker,
            @Parameters(paramLabel = "NODE", arity = "0..1", description = WHICH_NODE) @Nullable String node,
            @Option(names = "--keep-data", description = "Moves data and logs aside instead of removing them.")
                    boolean keepData)
            throws Exception {
        RunFolder folder = folder(broker);
        if (node != null) {
            return toNode(broker, node, "stopped", one -> RecordedBroker.end(List.of(one), stopGrace, out()::println));
        }
        out().println(folder.exclusively(() -> {
            RecordedBroker recorded = folder.recorded();
            RecordedBroker.end(recorded.nodes(), stopGrace, out()::println);
            LimitGroup.remove(recorded.limitGroups());
            if (keepData) {
                return "stopped " + broker.name() + "; data and logs are in " + folder.keep();
            }
            folder.remove();
            return "stopped " + broker.name();
        }));
        return CommandLine.ExitCode.OK;
    }

    @Command(description = "Kills a node (SIGKILL), as a crash would; its data is kept.")
    int kill(
            @Parameters(paramLabel = "NAME", description = WHICH_BROKER) LocalBroker broker,
            @Parameters(paramLabel = "NODE", description = WHICH_NODE) String node)
            throws Exception {
        return toNode(broker, node, "killed", one -> {
            one.signal(ProcessSignals.Signal.KILL);
            RecordedBroker.awaitEnd(List.of(one));
        });
    }

    @Command(description = "Pauses a node (SIGSTOP): it keeps its connections but does not answer.")
    int pause(
            @Parameters(paramLabel = "NAME", description = WHICH_BROKER) LocalBroker broker,
            @Parameters(paramLabel = "NODE", description = WHICH_NODE) String node)
            throws Exception {
        return toNode(broker, node, "paused", RecordedNode::pause);
    }

    @Command(description = "Resumes a paused node.")
    int resume(
            @Parameters(paramLabel = "NAME", description = WHICH_BROKER) LocalBroker broker,
            @Parameters(paramLabel = "NODE", description = WHICH_NODE) String node)
            throws Exception {
        return toNode(broker, node, "resumed", one -> one.signal(ProcessSignals.Signal.CONT));
    }

    /** An action on a node that runs. */
    private interface NodeAction {

        void on(RecordedNode node) throws Exception;
    }

    private int toNode(LocalBroker broker, String name, String done, NodeAction action) throws Exception {
        RunFolder folder = folder(broker);
        out().println(folder.exclusively(() -> {
            RecordedNode node = folder.recorded().node(name);
            if (!node.runs()) {
                throw new LocalBrokerException(name + " is not running");
            }
            action.on(node);
            return done + " " + name + " (pid " + node.pid() + ")";
        }));
        return CommandLine.ExitCode.OK;
    }

    @Command(
            description =
                    "Shows whether a broker, or which one, is running; the exit code is 0 if all nodes are, else 1.")
    int status(
            @Parameters(paramLabel = "NAME", arity = "0..1", description = WHICH_BROKER) @Nullable LocalBroker broker)
            throws IOException, LocalBrokerException {
        if (broker != null) {
            return status(broker, folder(broker).load());
        }
        int exitCode = CommandLine.ExitCode.OK;
        boolean any = false;
        for (LocalBroker each : brokers) {
            Optional<RecordedBroker> recorded = folder(each).load();
            if (recorded.isPresent()) {
                any = true;
                exitCode = Math.max(exitCode, status(each, recorded));
            }
        }
        if (!any) {
            out().println("no broker is running");
            return CommandLine.ExitCode.SOFTWARE;
        }
        return exitCode;
    }

    private int status(LocalBroker broker, Optional<RecordedBroker> recorded) {
        if (recorded.isEmpty()) {
            out().println(broker.name() + " is not running");
            return CommandLine.ExitCode.SOFTWARE;
        }
        out().println(recorded.get().describe());
        boolean allRun = true;
        for (RecordedNode node : recorded.get().nodes()) {
            String state = node.state();
            allRun &= !state.equals(RecordedNode.ENDED);
            out().println(node.describe(state + "  "));
        }
        return allRun ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    @Command(description = "Prints the end of a broker's log.")
    int logs(
            @Parameters(paramLabel = "NAME", description = WHICH_BROKER) LocalBroker broker,
            @Option(
                            names = {"-n", "--lines"},
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "How many lines of each node (default: 50).")
                    int lines,
            @Option(
                            names = {"-f", "--follow"},
                            description = "Continues with new lines until the broker ends.")
                    boolean follow)
            throws IOException, LocalBrokerException, InterruptedException {
        RecordedBroker recorded = folder(broker).recorded();
        List<LogTail> tails = new ArrayList<>();
        try {
            for (RecordedNode node : recorded.nodes()) {
                LogTail tail = LogTail.open(node.log(), recorded.nodes().size() == 1 ? "" : node.name() + " | ");
                tails.add(tail);
                tail.printNew(out(), lines);
            }
            out().flush();
            while (follow && !recorded.running().isEmpty()) {
                Thread.sleep(POLL_MS);
                for (LogTail tail : tails) {
                    tail.printNew(out(), Integer.MAX_VALUE);
                }
                out().flush();
            }
        } finally {
            for (LogTail tail : tails) {
                tail.close();
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /** Reads a log that may still grow. */
    private static final class LogTail implements AutoCloseable {

        private final Reader reader;
        private final String prefix;
        private String unfinishedLine = "";

        private LogTail(Reader reader, String prefix) {
            this.reader = reader;
            this.prefix = prefix;
        }

        /** Opens a log at its start; each printed line gets the prefix. */
        static LogTail open(Path log, String prefix) throws IOException {
            return new LogTail(new InputStreamReader(Files.newInputStream(log), StandardCharsets.UTF_8), prefix);
        }

        /** Prints the lines completed since the last call, at most the last {@code mostLines} of them. */
        void printNew(PrintWriter out, int mostLines) throws IOException {
            StringWriter text = new StringWriter().append(unfinishedLine);
            reader.transferTo(text);
            int end = text.getBuffer().lastIndexOf("\n") + 1;
            unfinishedLine = text.getBuffer().substring(end);
            List<String> lines = text.getBuffer().substring(0, end).lines().toList();
            lines.stream()
                    .skip(Math.max(0, lines.size() - (long) mostLines))
                    .forEach(line -> out.println(prefix + line));
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
