package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.config.DriverFile;
import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.SweepPlan;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.worker.DriverLoader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the command line asks for, read and checked: every workload with every driver.
 *
 * @param drivers in the order given
 * @param workloads in the order given
 */
record Suite(List<ConfiguredDriver> drivers, List<WorkloadFile> workloads) {

    /**
     * Reads all files and reports everything that is wrong with any of them at once.
     *
     * @throws UserException with a line for each problem
     */
    static Suite check(List<Path> driverPaths, List<Path> workloadPaths, Installation installation)
            throws UserException {
        List<String> problems = new ArrayList<>();
        if (driverPaths.isEmpty()) {
            problems.add("benchmark: no driver given, use --drivers FILE");
        }
        if (workloadPaths.isEmpty()) {
            problems.add("benchmark: no workload given");
        }
        DriverLoader loader = new DriverLoader(installation.drivers());
        List<ConfiguredDriver> drivers = new ArrayList<>();
        for (Path path : driverPaths) {
            try {
                drivers.add(ConfiguredDriver.load(DriverFile.read(locate(path, installation)), loader));
            } catch (ConfigException e) {
                problems.add(e.getMessage());
            }
        }
        List<WorkloadFile> workloads = new ArrayList<>();
        for (Path path : workloadPaths) {
            try {
                workloads.add(WorkloadFile.read(locate(path, installation), installation.home()));
            } catch (ConfigException e) {
                problems.add(e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        return new Suite(drivers, workloads);
    }

    /** A file that is not in the current folder is looked for in the installation: the ones that come with it. */
    static Path locate(Path path, Installation installation) {
        Path shipped = installation.home().resolve(path);
        return !Files.exists(path) && Files.exists(shipped) ? shipped : path;
    }

    int runCount() {
        return drivers.size() * workloads.size();
    }

    /** Prints what would run and for how long. */
    void describe(PrintWriter out, BrokerStarter starter) {
        Duration total = Duration.ZERO;
        int number = 0;
        for (ConfiguredDriver driver : drivers) {
            for (WorkloadFile workload : workloads) {
                number++;
                total = total.plus(shortest(workload.workload()));
                out.printf(
                        "run %d of %d: %s on %s%n",
                        number, runCount(), workload.workload().name(), driver.name());
                out.printf(
                        "  driver    %s (%s)%n",
                        driver.file().path(), driver.loaded().clientVersion());
                out.printf("  broker    %s%n", starter.describe(driver));
                RunLimits.describe(starter.limits(driver).during(starter.mayStart(driver)))
                        .ifPresent(limits -> out.printf("  limits    %s%n", limits));
                describe(out, workload);
            }
        }
        out.printf("all together: at least %s%n", DurationText.format(total));
    }

    private static void describe(PrintWriter out, WorkloadFile file) {
        Workload workload = file.workload();
        out.printf("  workload  %s%n", file.path());
        out.printf(
                "  topics    %d with %d partitions; for each %d producers, %d subscriptions of %d consumers%n",
                workload.topics(),
                workload.partitionsPerTopic(),
                workload.producersPerTopic(),
                workload.subscriptionsPerTopic(),
                workload.consumerPerSubscription());
        out.printf(
                "  load      %s, messages of %d bytes%s%n",
                words(workload),
                workload.messageSize(),
                workload.buildsBacklog() ? ", a backlog of " + workload.consumerBacklogSizeGB() + " GiB" : "");
        out.printf("  time      warm-up %s, then %s%n", DurationText.format(workload.warmupTime()), length(workload));
    }

    private static String length(Workload workload) {
        Optional<String> time = workload.testTime().map(DurationText::format);
        if (workload.messageCount() == null) {
            return time.orElseThrow();
        }
        return "until " + workload.messageCount() + " messages have arrived"
                + time.map(limit -> ", at most " + limit).orElse("");
    }

    /** How long a run takes at least. */
    static Duration shortest(Workload workload) {
        return workload.warmupTime().plus(shortestMeasurement(workload));
    }

    private static Duration shortestMeasurement(Workload workload) {
        if (workload.messageCount() == null) {
            return workload.testTime().orElseThrow();
        }
        // Rounded, since nobody wants to read the nanoseconds of so many messages.
        Duration sending = workload.messageRate() instanceof ProducerRate.Fixed fixed
                ? Duration.ofSeconds((long) (workload.messageCount() / fixed.messagesPerSecond()))
                : Duration.ZERO;
        return workload.testTime().filter(time -> time.compareTo(sending) < 0).orElse(sending);
    }

    private static String words(Workload workload) {
        ProducerRate rate = workload.producerRate();
        if (workload.messageRate() instanceof ProducerRate.Fixed fixed) {
            return fixed + " msg/s";
        }
        SweepPlan sweep = workload.rateSweep();
        if (sweep != null) {
            List<Double> rates = sweep.rates(workload.meanMessageBytes());
            return rates.size() + " rates, each for " + DurationText.format(sweep.stepTime()) + " after "
                    + DurationText.format(sweep.settleTime()) + ": "
                    + rates.stream().map(Quantities::number).collect(Collectors.joining(", "))
                    + " msg/s, up to the first that is not sustained"
                    + (sweep.further() == 0 ? "" : " and " + sweep.further() + " more");
        }
        if (rate instanceof ProducerRate.GivenBy) {
            return workload.schedule().size() + " rates, one after the other";
        }
        return rate instanceof ProducerRate.Unlimited
                ? "as fast as the client takes it"
                : "the highest sustainable rate, to be found";
    }
}
