package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.cli.catalog.Catalog;
import io.openmessaging.benchmark.cli.catalog.Catalog.FileType;
import io.openmessaging.benchmark.cli.catalog.Catalog.Shipped;
import io.openmessaging.benchmark.cli.console.ConsoleRow;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.driver.Misspelling;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.worker.DriverLoader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code bin/benchmark list}. */
@Command(
        name = ListCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        usageHelpAutoWidth = true,
        description = {
            "Shows driver files, workloads and plans by the names that bin/benchmark takes, and which brokers can be"
                    + " started on this machine.",
        },
        footer = {
            "",
            "Exit code: 0 listed, 2 bad arguments or no match.",
            "",
            "  bin/benchmark list drivers rabbit",
            "  bin/benchmark list workloads omb/"
        })
final class ListCommand implements Callable<Integer> {

    static final String NAME = "list";

    private static final String BROKERS = "brokers";

    /** A folder with more files is one line, unless the user requests it. */
    private static final int MANY = 20;

    private static final int NAME_WIDTH = 36;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "WHAT",
            defaultValue = "",
            description = "drivers, brokers, workloads or plans (default: all).")
    private String what = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Only names that contain this text.")
    private String text = "";

    @Override
    public Integer call() throws UserException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Set<FileType> kinds = EnumSet.allOf(FileType.class);
        kinds.removeIf(kind -> !what.isEmpty() && !kind.plural().equals(what));
        boolean brokers = what.isEmpty() || what.equals(BROKERS);
        if (kinds.isEmpty() && !brokers) {
            throw new UserException(unknown());
        }
        Installation installation = Installation.fromSystemProperties();
        Catalog catalog = new Catalog(installation.home());
        boolean any = false;
        for (FileType kind : kinds) {
            List<Shipped> files = catalog.all(kind).stream()
                    .filter(file -> file.name().contains(text))
                    .toList();
            any |= !files.isEmpty();
            print(out, kind, files);
            any |= kind == FileType.DRIVER && printDriversOfOmb(out, installation);
        }
        if (brokers) {
            any |= printBrokers(out);
        }
        if (!any) {
            throw new UserException("benchmark: list: no name contains '" + text + "'");
        }
        return ExitCode.OK;
    }

    /** Returns the error message for something that cannot be listed, with the command that was probably meant. */
    private String unknown() {
        List<String> lists = Stream.concat(Stream.of(FileType.values()).map(FileType::plural), Stream.of(BROKERS))
                .toList();
        Catalog catalog = new Catalog(Installation.fromSystemProperties().home());
        String meant = Misspelling.meant(what, lists)
                .or(() -> Stream.of(FileType.values())
                        .filter(kind -> catalog.all(kind).stream()
                                .anyMatch(file -> file.name().contains(what)))
                        .map(kind -> kind.plural() + " " + Problems.shown(what))
                        .findFirst())
                .map(arguments -> ", did you mean 'bin/benchmark list " + arguments + "'?")
                .orElse("");
        return "benchmark: list: WHAT must be drivers, brokers, workloads or plans, got '" + Problems.shown(what) + "'"
                + meant;
    }

    private void print(PrintWriter out, FileType kind, List<Shipped> files) {
        if (files.isEmpty()) {
            return;
        }
        out.println(kind.plural()
                + switch (kind) {
                    case DRIVER -> " (bin/benchmark -d NAME,NAME … WORKLOAD)";
                    case WORKLOAD -> " (bin/benchmark -d DRIVER NAME …)";
                    case PLAN -> " (bin/benchmark plan NAME)";
                });
        Map<String, List<Shipped>> byFolder =
                files.stream().collect(Collectors.groupingBy(ListCommand::folder, TreeMap::new, Collectors.toList()));
        byFolder.forEach((folder, inside) -> {
            if (inside.size() > MANY && !folder.isEmpty() && text.isEmpty()) {
                out.println(ConsoleRow.of(
                        "  " + folder,
                        NAME_WIDTH,
                        inside.size() + " files: bin/benchmark list " + kind.plural() + " " + folder,
                        ConsoleRow.width(spec)));
            } else {
                inside.forEach(file -> out.println(
                        ConsoleRow.of("  " + file.name(), NAME_WIDTH, file.about(), ConsoleRow.width(spec))));
            }
        });
        out.println();
    }

    private boolean printDriversOfOmb(PrintWriter out, Installation installation) {
        List<String> rows = new ArrayList<>();
        for (DriverLoader.DriversOfOmb found : new DriverLoader(installation.drivers()).driversOfOmb()) {
            String folder =
                    installation.distribution().relativize(found.folder()).toString();
            String about =
                    folder + found.obstacle().map(obstacle -> " " + obstacle).orElse("");
            List<String> names = found.obstacle().isPresent()
                    ? List.of("(cannot be used)")
                    : found.classes().isEmpty() ? List.of("(none)") : found.classes();
            names.stream()
                    .filter(name -> (name + " " + folder).contains(text))
                    .forEach(name -> rows.add(ConsoleRow.of("  " + name, NAME_WIDTH, about, ConsoleRow.width(spec))));
        }
        if (!rows.isEmpty()) {
            out.println("drivers of OMB (driverClass of a driver file, and the folder with its jars)");
            rows.forEach(out::println);
            out.println();
        }
        return !rows.isEmpty();
    }

    private static String folder(Shipped file) {
        return file.name().substring(0, file.name().indexOf('/') + 1);
    }

    private boolean printBrokers(PrintWriter out) throws InterruptedException {
        List<LocalBroker> brokers = LocalBroker.installed().stream()
                .filter(broker -> broker.name().contains(text))
                .sorted(Comparator.comparing(LocalBroker::name))
                .toList();
        if (!brokers.isEmpty()) {
            out.println("brokers that can be started here (automatically for a run, or by bin/broker start NAME)");
        }
        for (LocalBroker broker : brokers) {
            LocalBroker.Offer offer = broker.offer();
            String obstacle = offer.obstacle()
                    .map(reason -> " - cannot be started here: " + reason)
                    .orElse("");
            out.println(
                    ConsoleRow.of("  " + broker.name(), NAME_WIDTH, offer.system() + obstacle, ConsoleRow.width(spec)));
        }
        return !brokers.isEmpty();
    }
}
