package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.worker.group.MemberCalls.LateException;
import io.openmessaging.benchmark.worker.group.MemberCalls.Terms;
import io.openmessaging.benchmark.worker.protocol.Call;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.protocol.WorkerLostException;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Combines several workers into one: sends each request to all of them at the same time and adds up their answers.
 * Each member has its share of the producers and consumers, and sends its share of the rate. All times in requests and
 * answers are those of the coordinator's clock.
 *
 * <p>A load starts everywhere at the same time: it is requested early enough for all workers to confirm it, and called
 * off if one does not. If the caller gives no time, the group chooses one. {@link #start} returns as soon as all
 * workers have confirmed, and so does {@link #change} with a time; without one, it returns when the rates change.
 *
 * <p>A lost worker gets no more requests, and its last answers are used instead. Preparing a run and starting a load
 * need all workers: these requests throw if one is lost. All others continue with the remaining workers, and the
 * {@link Worker.Status} has the lost ones.
 *
 * <p>Concurrency: like every worker, called by one thread at a time.
 */
public final class Group implements Worker {

    private static final Logger LOG = LoggerFactory.getLogger(Group.class);

    /** Time that workers have to release everything. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(60);

    private static final RateProfile NOTHING = RateProfile.steady(0);

    private final List<Member> members;
    private final Roles roles;
    private final LongSupplier clock;
    private final Timing timing;
    private final MemberCalls calls;
    private final List<@Nullable Status> lastStatus = new ArrayList<>();
    private final Shares shares;
    private final Map<String, String> kindsOfErrors = new HashMap<>();
    private @Nullable RunDescription run;
    private @Nullable Uses uses;
    private List<Placement> placements = List.of();
    private int producersPerTopic;
    private int consumersPerSubscription;
    private int producers;
    private Marks search = new Marks(Map.of());
    private int loadNumber;
    private long loadStartNs;
    private boolean loadIsOn;
    private int producersOfLoad;
    private @Nullable Change lastChange;
    private @Nullable Period lastPeriod;
    private boolean closed;
    private long lastLookNs = Long.MIN_VALUE;
    private long nextClocksNs = Long.MIN_VALUE;

    /**
     * Creates a group without a run.
     *
     * @param members members in their order
     * @param roles roles of the members
     * @param keepsEach true if periods also contain the results of each member
     * @param clock the coordinator's clock, epoch nanoseconds
     * @param timing lead times of actions that must happen on all members at once
     * @param progress receives about once a second the progress of a member that has not answered yet
     */
    public Group(
            List<? extends Member> members,
            Roles roles,
            boolean keepsEach,
            LongSupplier clock,
            Timing timing,
            Consumer<String> progress) {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a group has at least one worker");
        }
        this.members = List.copyOf(members);
        this.roles = roles;
        this.clock = clock;
        this.timing = timing;
        this.calls = new MemberCalls(this.members, clock, progress);
        this.shares = new Shares(this.members, keepsEach);
        members.forEach(member -> lastStatus.add(null));
    }

    @Override
    public Prepared prepare(Prepare request) throws DriverException, InterruptedException {
        int all = request.run().topology().producerCount();
        List<Placement> shared = roles.placements(members.size(), all);
        run = request.run();
        placements = shared;
        producersPerTopic = Math.max(producersPerTopic, request.producersPerTopic());
        if (request.run().topology().hasConsumers()) {
            consumersPerSubscription = Math.max(consumersPerSubscription, request.consumersPerSubscription());
        }
        SortedMap<Integer, Prepared> prepared = calls.ask(
                Terms.all("clients were created"),
                (index, member) -> Call.prepare(new Prepare(
                        request.run().at(shared.get(index)),
                        request.producersPerTopic(),
                        request.consumersPerSubscription())));
        producers = request.run().topology().topicCount() * producersPerTopic;
        List<WorkerMachine> machines = prepared.entrySet().stream()
                .flatMap(of -> of.getValue().machines().stream()
                        .map(machine -> machine.named(members.get(of.getKey()).name())))
                .toList();
        uses = new Uses(machines, WorkerHost.here());
        return new Prepared(machines, shared);
    }

    @Override
    public Probed probe(Probe request) throws DriverException, InterruptedException {
        keepPace();
        SortedMap<Integer, Probed> probed = calls.ask(Terms.all("probes were sent"), Call.probe(request));
        String error = probed.entrySet().stream()
                .filter(of -> of.getValue().error() != null)
                .map(of ->
                        members.get(of.getKey()).name() + ": " + of.getValue().error())
                .findFirst()
                .orElse(null);
        return Merge.probed(probed.values(), error);
    }

    /** Limits the rate of status requests to what members and this process can answer besides the load. */
    private void keepPace() throws InterruptedException {
        long paceNs = timing.pace().toNanos() * members.size();
        if (lastLookNs != Long.MIN_VALUE) {
            sleepUntil(lastLookNs + paceNs);
        }
        lastLookNs = clock.getAsLong();
    }

    private void sleepUntil(long ns) throws InterruptedException {
        for (long leftNs = ns - clock.getAsLong(); leftNs > 0; leftNs = ns - clock.getAsLong()) {
            TimeUnit.NANOSECONDS.sleep(leftNs);
        }
    }

    private long roundTripNs() {
        return members.stream().mapToLong(Member::roundTripNs).max().orElse(0);
    }

    @Override
    public long start(Start request) throws DriverException, InterruptedException {
        if (run == null) {
            throw new IllegalStateException("prepare() comes first");
        }
        if (request.number() == loadNumber) {
            return loadStartNs;
        }
        if (loadIsOn) {
            throw new IllegalStateException("load " + loadNumber + " is still running");
        }
        look(currentClocks());
        long atNs = request.atNs() == 0
                ? clock.getAsLong() + timing.startNs(loadNumber == 0, roundTripNs())
                : request.atNs();
        int producing = producers;
        Terms terms = Terms.all("the load was started");
        try {
            long confirmedNs = atNs - timing.confirmed().toNanos();
            // A start requested this late cannot be simultaneous anyway.
            calls.ask(
                    clock.getAsLong() < confirmedNs ? terms.by(confirmedNs) : terms,
                    (index, member) -> Call.start(startOf(index, member, request, atNs, producing)));
        } catch (LateException e) {
            throw calledOff("start of the load", e);
        } catch (DriverException e) {
            stopAll();
            throw e;
        }
        loadNumber = request.number();
        loadIsOn = true;
        producersOfLoad = producing;
        lastChange = null;
        loadStartNs = atNs;
        return atNs;
    }

    private Start startOf(int index, Member member, Start request, long atNs, int producing) {
        Placement placement = placements.get(index);
        return new Start(
                request.number(),
                atNs + member.clock().aheadNs(),
                ratesOf(placement, request.rates(), producing),
                placement.messagesHere(request.messageCount(), producing));
    }

    private static RateProfile ratesOf(Placement placement, RateProfile rates, int producing) {
        int here = placement.producersHere(producing);
        return here == 0 ? NOTHING : rates.times((double) here / producing);
    }

    /**
     * Stops all members and returns the reason: a lost worker, if one is known by now; else those that have not
     * confirmed.
     */
    private DriverException calledOff(String what, LateException late) throws InterruptedException {
        stopAll();
        try {
            calls.refuseLost(Terms.all("it was asked to confirm the " + what));
        } catch (WorkerLostException e) {
            return e;
        }
        return new DriverException(
                "the %s was called off: %s had not confirmed it in time".formatted(what, late.getMessage()));
    }

    private void stopAll() throws InterruptedException {
        try {
            calls.ask(Terms.remaining(), Call.stop(new Stop(false)));
            loadIsOn = false;
        } catch (DriverException e) {
            LOG.warn("A load that was called off was not stopped", e);
        }
    }

    @Override
    public void change(Change request) throws DriverException, InterruptedException {
        if (!loadIsOn || request.equals(lastChange)) {
            return;
        }
        lastChange = request;
        boolean told = request.atNs() != 0;
        long atNs = told ? request.atNs() : clock.getAsLong() + timing.changeNs(roundTripNs());
        Terms terms = Terms.all("rates were changed");
        try {
            calls.ask(told ? terms : terms.by(atNs - timing.confirmed().toNanos()), (index, member) -> {
                RateProfile rates = ratesOf(placements.get(index), request.rates(), producersOfLoad);
                return Call.change(new Change(atNs + member.clock().aheadNs(), rates));
            });
        } catch (LateException e) {
            throw calledOff("change of the rates", e);
        }
        if (!told) {
            sleepUntil(atNs);
        }
    }

    @Override
    public void consume(boolean delivered) throws DriverException, InterruptedException {
        calls.ask(Terms.remaining(), Call.consume(delivered));
    }

    private List<Offset> currentClocks() {
        nextClocksNs = clock.getAsLong() + timing.clocks().toNanos();
        return members.stream().map(Member::clock).toList();
    }

    /** From time to time this also sends the current clock offsets to the members. */
    @Override
    public Status status(List<Offset> clocks) throws DriverException, InterruptedException {
        keepPace();
        look(clocks.isEmpty() && clock.getAsLong() >= nextClocksNs ? currentClocks() : clocks);
        List<Lost> lost = calls.lost().stream()
                .map(one -> one.holding(known(one.worker()).totals().inFlight()))
                .toList();
        return Merge.status(
                IntStream.range(0, members.size()).mapToObj(this::known).toList(), lost, kindsOfErrors);
    }

    private void look(List<Offset> clocks) throws DriverException, InterruptedException {
        calls.ask(Terms.remaining(), Call.status(clocks)).forEach((index, status) -> {
            Member member = members.get(index);
            lastStatus.set(index, Merge.moved(status, member.clock(), member.name()));
        });
    }

    /** Returns the last status of a worker; a lost one has ended its load. */
    private Status known(int index) {
        Status status = lastStatus.get(index);
        if (status == null) {
            return Merge.unreported(subscriptions());
        }
        return calls.isLost(index) ? Merge.ended(status) : status;
    }

    private int subscriptions() {
        return run == null ? 0 : run.topology().subscriptionCount();
    }

    @Override
    public Period period(int number) throws DriverException, InterruptedException {
        int last = lastPeriod == null ? 0 : lastPeriod.number();
        if (lastPeriod == null || number != last) {
            if (number != last + 1) {
                throw new IllegalArgumentException("period " + number + " does not follow period " + last);
            }
            SortedMap<Integer, Period> answers = calls.ask(Terms.remaining(), Call.period(number));
            lastPeriod = shares.merged(number, answers, subscriptions(), used(answers));
        }
        return Objects.requireNonNull(lastPeriod);
    }

    private ResourcePeriod used(SortedMap<Integer, Period> answers) {
        if (run == null || uses == null || run.resourcePeriod().isZero()) {
            return ResourcePeriod.NONE;
        }
        Map<Integer, ResourcePeriod> told = new HashMap<>();
        answers.forEach((index, period) -> told.put(index, period.used()));
        return uses.together(told);
    }

    @Override
    public Marks stop(Stop request) throws DriverException, InterruptedException {
        SortedMap<Integer, Marks> marks = calls.ask(Terms.remaining(), Call.stop(request));
        loadIsOn = false;
        return Merge.marks(marks.values(), request.searchEnds() ? producersOfLost() : List.of());
    }

    @Override
    public void endSearch(Marks marks) throws DriverException, InterruptedException {
        search = marks;
        calls.ask(Terms.remaining(), Call.endSearch(marks));
    }

    @Override
    public AuditPart finish() throws DriverException, InterruptedException {
        List<AuditPart> parts =
                new ArrayList<>(calls.ask(Terms.remaining(), Call.finish()).values());
        parts.add(AuditPart.lost(unreported()));
        return AuditPart.together(parts);
    }

    /** Producers and subscriptions of lost workers, whose counts stay unknown. */
    private AuditPart.Unreported unreported() {
        Map<Integer, Long> producers = new HashMap<>();
        for (int producer : producersOfLost()) {
            producers.put(producer, search.sequences().getOrDefault(producer, 0L));
        }
        Set<AuditPart.SubscriptionKey> places = new HashSet<>();
        for (RunDescription lost : lostShares()) {
            for (Topology.Consumer consumer : lost.consumersHere(0, consumersPerSubscription)) {
                String topic = lost.topology().topic(consumer.topic()).name();
                places.add(new AuditPart.SubscriptionKey(topic, consumer.subscription()));
            }
        }
        return new AuditPart.Unreported(producers, places);
    }

    private List<Integer> producersOfLost() {
        return lostShares().stream()
                .flatMap(lost -> lost.producersHere(0, producersPerTopic).stream())
                .map(Topology.Producer::id)
                .toList();
    }

    /** Returns the run with the placement of each lost worker. */
    private List<RunDescription> lostShares() {
        RunDescription all = run;
        return all == null
                ? List.of()
                : calls.lost().stream()
                        .map(lost -> all.at(placements.get(lost.worker())))
                        .toList();
    }

    /** Returns after a minute at the latest, even if a worker does not answer or the thread is interrupted. */
    @Override
    public void close() throws DriverException {
        if (closed) {
            return;
        }
        closed = true;
        boolean interrupted = Thread.interrupted();
        try {
            calls.ask(Terms.remaining().by(clock.getAsLong() + CLOSE_LIMIT.toNanos()), Call.close());
        } catch (LateException e) {
            throw new DriverException("not closed within " + CLOSE_LIMIT.toSeconds() + " s: " + e.getMessage());
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
