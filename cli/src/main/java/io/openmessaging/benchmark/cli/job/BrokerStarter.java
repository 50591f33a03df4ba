package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Jvm;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Version;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.cli.fault.BrokerFaults;
import io.openmessaging.benchmark.cli.limits.RunLimits;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.LocalBrokerSettings;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.faults.FaultTools;
import io.openmessaging.benchmark.faults.Separation;
import io.openmessaging.benchmark.fleet.FleetRequest;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.worker.transport.Loopback;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides for each driver whether a broker has to be started, and starts it. */
public final class BrokerStarter {

    /** Timeout for addresses on this machine. */
    private static final int CONNECT_TIMEOUT_MS = 500;

    /** Timeout for addresses anywhere. */
    private static final int PATIENT_CONNECT_TIMEOUT_MS = 5_000;

    private static final int MAX_NODES = 9;

    /** For estimates: a guess between systems that start within a second or two and those that take half a minute. */
    private static final Duration NODE_START = Duration.ofSeconds(15);

    /** Each is a JVM, and all share this machine with the broker. */
    private static final int MAX_CLIENTS = 128;

    /**
     * A node, a producer and a consumer: with no more than that, a warning would advise what nobody can do. Whether the
     * machine was full is a finding of the run.
     */
    private static final int SMALLEST_RUN = 3;

    private final BrokerMode mode;
    private final @Nullable Integer nodes;
    private final Installation installation;
    private final PrintWriter out;
    private final FaultTools tools = FaultTools.ofThisMachine();

    /**
     * Creates a starter; starts nothing yet.
     *
     * @param mode what the user allows
     * @param nodes number of nodes given by the user; null to use the driver file's
     * @param installation source of the brokers
     * @param out receives a line for each broker that is started
     */
    public BrokerStarter(BrokerMode mode, @Nullable Integer nodes, Installation installation, PrintWriter out) {
        this.mode = mode;
        this.nodes = nodes;
        this.installation = installation;
        this.out = out;
    }

    /**
     * Refuses what cannot work for any of the drivers or workloads, before anything is started.
     *
     * @param fleet the workers; empty if the load comes from this process
     */
    public void check(Job job, Optional<FleetRequest> fleet) throws UserException {
        if (nodes != null && (nodes < 1 || nodes > MAX_NODES)) {
            throw new UserException("benchmark: --local-nodes must be from 1 to " + MAX_NODES + ", got " + nodes);
        }
        for (ConfiguredDriver driver : job.drivers()) {
            checkName(driver);
            if (mode == BrokerMode.LOCAL && implementation(driver).isEmpty()) {
                throw new UserException("benchmark: --brokers local: there is no local broker for "
                        + driver.file().path() + ", only for " + names());
            }
            if (mode == BrokerMode.LOCAL && !driver.loaded().existingTopics().isEmpty()) {
                throw new UserException(
                        "benchmark: --brokers local: " + driver.file().path()
                                + " names existingTopics, which a broker that is started for the run does not have");
            }
            Optional<String> tooFew = tooFewNodes(driver);
            if (mode == BrokerMode.LOCAL && tooFew.isPresent()) {
                throw new UserException("benchmark: " + tooFew.get());
            }
            if (fleet.isPresent()) {
                checkReach(driver, fleet.get().elsewhere());
            }
            checkEachClient(driver, job.workloadsOf(driver), fleet.isPresent());
            for (WorkloadFile workload : job.workloadsOf(driver)) {
                checkFaults(driver, workload, fleet);
                Optional<String> lack = fleet.isPresent() ? Optional.empty() : driver.lacks(workload);
                if (lack.isPresent()) {
                    throw new UserException("benchmark: " + lack.get() + ", or spread them over workers");
                }
            }
        }
    }

    /** Refuses faults that are not possible on this machine. */
    private void checkFaults(ConfiguredDriver driver, WorkloadFile workload, Optional<FleetRequest> fleet)
            throws UserException {
        List<Fault> faults = workload.workload().faultsInOrder();
        String file = "benchmark: " + workload.path() + ": ";
        List<String> problems = BrokerFaults.cannot(
                faults, mayStart(driver) ? Optional.of(localNodes(driver)) : Optional.empty(), fleet, tools);
        if (!problems.isEmpty()) {
            throw new UserException(
                    problems.stream().map(problem -> file + problem).collect(Collectors.joining("\n")));
        }
    }

    private BrokerFaults.Nodes localNodes(ConfiguredDriver driver) {
        boolean containers = implementation(driver)
                .filter(broker -> broker.kind() == Confinement.ProcessType.CONTAINER)
                .isPresent();
        return new BrokerFaults.Nodes(nodesFor(driver), containers);
    }

    /** Refuses limits of each client where there cannot be a process for each. */
    private static void checkEachClient(
            ConfiguredDriver driver, List<WorkloadFile> workloads, boolean workersAreRequested) throws UserException {
        if (driver.file().limits().eachClient().limit().isNone()) {
            return;
        }
        String key = "benchmark: " + driver.file().path() + ": limits.eachClient: ";
        if (workersAreRequested) {
            throw new UserException(key + "starts a limited process for each producer and each consumer itself: run it"
                    + " without workers");
        }
        if (driver.loaded().insideThisProcess()) {
            throw new UserException(
                    key + "the system is inside this process, where other processes cannot reach it: leave it out");
        }
        for (WorkloadFile workload : workloads) {
            int clients = FleetRequest.clients(workload.workload());
            if (clients > MAX_CLIENTS) {
                throw new UserException(
                        key + workload.path() + " has " + clients + " producers and consumers, and at most "
                                + MAX_CLIENTS + " can be processes of their own: use limits.clients");
            }
        }
    }

    /**
     * Refuses limits of each client that this machine cannot enforce: without them, a run would measure other clients.
     */
    public void checkEnforcement(Job job) throws UserException {
        for (ConfiguredDriver driver : job.drivers()) {
            Optional<String> why = limits(driver).whyNotEachClient();
            if (why.isPresent()) {
                throw new UserException("benchmark: " + driver.file().path()
                        + ": limits.eachClient cannot be enforced: "
                        + why.get() + ". Run as root, or in a group that systemd delegates (systemd-run --user --scope"
                        + " -p Delegate=yes bin/benchmark …), or limit all clients together with limits.clients");
            }
        }
    }

    /** Refuses a system that workers cannot reach. */
    private void checkReach(ConfiguredDriver driver, List<Address> workersElsewhere) throws UserException {
        String file = "benchmark: " + driver.file().path();
        if (driver.loaded().insideThisProcess()) {
            throw new UserException(file + ": the system is inside this process, where workers cannot reach it: run it"
                    + " without workers");
        }
        if (!driver.file().limits().clients().limit().isNone()) {
            throw new UserException(file + ": limits.clients: the load comes from workers, which are separate"
                    + " processes: limit them where they are started, or run without workers");
        }
        boolean here = mode == BrokerMode.LOCAL || pointsHere(driver);
        if (here && !workersElsewhere.isEmpty()) {
            throw new UserException(file + ": the worker " + workersElsewhere.get(0) + " cannot reach a broker on this"
                    + " machine's loopback address: give the driver an address that all workers reach, or use"
                    + " --local-workers");
        }
    }

    private static boolean pointsHere(ConfiguredDriver driver) {
        List<InetSocketAddress> known = known(driver);
        // A name that has to be looked up does not mean this machine.
        return !known.isEmpty() && known.stream().allMatch(address -> Loopback.isName(address.getHostString()));
    }

    private static List<String> names() {
        return LocalBroker.installed().stream().map(LocalBroker::name).toList();
    }

    private static Optional<LocalBroker> implementation(ConfiguredDriver driver) {
        return driver.loaded().localBrokers().stream()
                .filter(name -> chosen(driver).map(name::equals).orElse(true))
                .findFirst()
                .flatMap(name -> LocalBroker.installed().stream()
                        .filter(broker -> broker.name().equals(name))
                        .findFirst());
    }

    private static Optional<String> chosen(ConfiguredDriver driver) {
        return Optional.ofNullable(driver.file().localBroker().name());
    }

    /** Refuses a local broker that the driver does not support. */
    private static void checkName(ConfiguredDriver driver) throws UserException {
        List<String> possible = driver.loaded().localBrokers();
        Optional<String> chosen = chosen(driver);
        if (chosen.isPresent() && !possible.contains(chosen.get())) {
            throw new UserException("benchmark: " + driver.file().path() + ": localBroker.name: "
                    + (possible.isEmpty()
                            ? "there is no local broker for this driver; remove the key"
                            : "must be one of " + String.join(", ", possible))
                    + ", got " + chosen.get());
        }
    }

    /** Describes the broker that a driver would use, without touching a broker. */
    String describe(ConfiguredDriver driver) {
        if (driver.loaded().insideThisProcess()) {
            return "inside this process";
        }
        if (driver.loaded().addresses().isEmpty()) {
            return "where the driver's own keys point to";
        }
        String addresses = String.join(", ", driver.loaded().addresses());
        if (mode == BrokerMode.LOCAL) {
            return "local, " + nodesFor(driver) + " node(s), started for the run";
        }
        return mayStart(driver)
                ? addresses + ", or if nothing listens there a local one of " + nodesFor(driver) + " node(s)"
                : addresses;
    }

    /** Returns the number of nodes given by the user, or else the one that the driver file needs. */
    private int nodesFor(ConfiguredDriver driver) {
        if (nodes != null) {
            return nodes;
        }
        int usual = driver.file().localBroker().nodes();
        return asksForNodes(driver)
                ? usual
                : Math.max(
                        usual, driver.loaded().nodeNeeds().map(NodeNeeds::nodes).orElse(usual));
    }

    private static boolean asksForNodes(ConfiguredDriver driver) {
        return driver.file().settings().get("localBroker") instanceof Map<?, ?> keys && keys.get("nodes") != null;
    }

    /** Returns why a local broker would have too few nodes for a driver file; empty if it has enough. */
    private Optional<String> tooFewNodes(ConfiguredDriver driver) {
        int there = nodesFor(driver);
        return driver.loaded()
                .nodeNeeds()
                .filter(needs -> needs.nodes() > there || needs.nodes() > MAX_NODES)
                .map(needs -> driver.file().path() + ": " + needs.because() + " needs " + needs.nodes()
                        + " nodes, and a local broker "
                        + (needs.nodes() > MAX_NODES
                                ? "has at most " + MAX_NODES
                                : "would have " + there + " by "
                                        + (nodes != null ? "--local-nodes" : "localBroker.nodes") + ": raise that to "
                                        + needs.nodes() + ", or leave it out"));
    }

    /**
     * Returns about how long a broker for the driver takes to start, downloads excluded; zero if none would be started.
     */
    Duration startTime(ConfiguredDriver driver) {
        return mayStart(driver) ? NODE_START.multipliedBy(nodesFor(driver)) : Duration.ZERO;
    }

    /**
     * Returns a warning if local brokers and the clients of this machine are more than its processors, and more than the
     * smallest run has: the machine is measured then, and the user can change that.
     *
     * @param processors number of this machine's processors
     * @param fleet the workers; empty if the load comes from this process
     */
    public Optional<String> crowding(Job job, Optional<FleetRequest> fleet, int processors) {
        boolean clientsElsewhere =
                fleet.filter(request -> !request.elsewhere().isEmpty()).isPresent();
        String crowded = job.drivers().stream()
                .filter(driver -> mayStart(driver) && !clientsElsewhere)
                .map(driver -> crowd(driver, job.workloadsOf(driver), processors))
                .flatMap(Optional::stream)
                .distinct()
                .collect(Collectors.joining("; "));
        return crowded.isEmpty()
                ? Optional.empty()
                : Optional.of("warning: this machine has " + processors + " processors for " + crowded
                        + ". If they are full, the machine is measured instead of the system (HostSaturated): use fewer"
                        + " nodes and clients, or other machines for the workers or the brokers");
    }

    private Optional<String> crowd(ConfiguredDriver driver, List<WorkloadFile> workloads, int processors) {
        int nodeCount = nodesFor(driver);
        int clients = workloads.stream()
                .mapToInt(workload -> FleetRequest.clients(workload.workload()))
                .max()
                .orElse(0);
        return nodeCount + clients <= Math.max(processors, SMALLEST_RUN)
                ? Optional.empty()
                : Optional.of(driver.name() + ": " + Quantities.counted(nodeCount, "node") + " and "
                        + Quantities.counted(clients, "client"));
    }

    /** Returns the limits of brokers and clients during the runs with a driver. */
    RunLimits limits(ConfiguredDriver driver) {
        Confinement.ProcessType kind =
                implementation(driver).map(LocalBroker::kind).orElse(Confinement.ProcessType.NATIVE);
        return RunLimits.of(driver.file().limits(), kind);
    }

    /** Prints before the runs how limits are enforced, and what is not. */
    void printLimits(ConfiguredDriver driver, RunLimits limits) {
        if (limits.areRequested()) {
            RunLimits.describe(limits.during(wouldStart(driver))).ifPresent(text -> out.println("limits: " + text));
        }
    }

    /**
     * Returns whether a local broker is started unless something listens already; does not check whether it does. A new
     * broker has no existing topics.
     */
    boolean mayStart(ConfiguredDriver driver) {
        boolean asksForThisOne =
                mode == BrokerMode.EXTERNAL || !driver.loaded().existingTopics().isEmpty();
        if (asksForThisOne || implementation(driver).isEmpty()) {
            return false;
        }
        return mode == BrokerMode.LOCAL || pointsHere(driver);
    }

    /** Returns whether a local broker would be started at this moment. */
    boolean wouldStart(ConfiguredDriver driver) {
        return mayStart(driver)
                && (mode == BrokerMode.LOCAL
                        || known(driver).stream().noneMatch(address -> listens(address, CONNECT_TIMEOUT_MS)));
    }

    /**
     * Starts a broker for the driver if needed; empty if the driver uses its configured addresses.
     *
     * @param limits from {@link #limits}
     * @param separation what its nodes need of their own
     */
    Optional<RunningBroker> startFor(ConfiguredDriver driver, RunLimits limits, Separation separation, String runId)
            throws LocalBrokerException, InterruptedException {
        Optional<LocalBroker> broker = implementation(driver);
        if (broker.isEmpty() || !wouldStart(driver)) {
            return Optional.empty();
        }
        Optional<String> tooFew = tooFewNodes(driver);
        if (tooFew.isPresent()) {
            throw new LocalBrokerException(tooFew.get());
        }
        List<String> addresses = driver.loaded().addresses();
        int nodeCount = nodesFor(driver);
        LocalBrokerSettings settings = driver.file().localBroker();
        String why = mode == BrokerMode.AUTO ? "nothing listens on " + String.join(", ", addresses) + ": " : "";
        out.println(why + "starting a local " + broker.get().name() + ", " + nodeCount + " node(s)");
        long startNs = System.nanoTime();
        RunningBroker running = broker.get()
                .start(new LocalBrokerOptions(
                        Version.valueOf(settings.version().toUpperCase(Locale.ROOT)),
                        nodeCount,
                        new Jvm(settings.heap(), settings.exporter()),
                        settings.settings(),
                        limits.broker(),
                        Security.NONE,
                        new Location(installation.home(), folder(broker.get().name(), runId), separation),
                        out::println));
        out.printf(
                Locale.ROOT,
                "%s %s is ready on %s after %.1f s%n",
                running.product(),
                running.version(),
                String.join(", ", running.addresses()),
                (System.nanoTime() - startNs) / 1e9);
        return Optional.of(running);
    }

    /**
     * Returns why no connection to any of the driver's addresses is possible; empty if one is, or no address is known.
     * Clients retry before they give up, some for a minute; this check answers at once.
     */
    static Optional<String> nobodyListens(ConfiguredDriver driver) {
        List<InetSocketAddress> known = known(driver);
        if (known.isEmpty() || known.stream().anyMatch(address -> listens(address, PATIENT_CONNECT_TIMEOUT_MS))) {
            return Optional.empty();
        }
        List<String> reasons = new ArrayList<>();
        String silent = known.stream()
                .filter(address -> !isUnknown(address))
                .map(address -> address.getHostString() + ":" + address.getPort())
                .collect(Collectors.joining(", "));
        if (!silent.isEmpty()) {
            reasons.add("nothing listens on " + silent);
        }
        known.stream()
                .filter(BrokerStarter::isUnknown)
                .map(InetSocketAddress::getHostString)
                .distinct()
                .forEach(name ->
                        reasons.add("the name " + name + " cannot be resolved on this machine (DNS, /etc/hosts)"));
        return Optional.of(String.join("; ", reasons));
    }

    private static boolean isUnknown(InetSocketAddress address) {
        return new InetSocketAddress(address.getHostString(), address.getPort()).isUnresolved();
    }

    private Path folder(String name, String runId) {
        return installation.home().resolve(".brokers").resolve("runs").resolve(name + "-" + runId);
    }

    /** Returns the driver's addresses; empty if one has no port, which the driver itself reports. */
    private static List<InetSocketAddress> known(ConfiguredDriver driver) {
        List<InetSocketAddress> known = new ArrayList<>();
        for (String text : driver.loaded().addresses()) {
            if (Address.problem(text, Address.HOST_AND_PORT).isPresent()) {
                return List.of();
            }
            Address address = Address.parse(text, Address.HOST_AND_PORT);
            known.add(InetSocketAddress.createUnresolved(address.host(), address.port()));
        }
        return known;
    }

    private static boolean listens(InetSocketAddress address, int timeoutMs) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.getHostString(), address.getPort()), timeoutMs);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
