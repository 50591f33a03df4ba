package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.protocol.Wire;
import io.openmessaging.benchmark.worker.remote.WorkerCalls.Reply;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.Claim;
import io.openmessaging.benchmark.worker.transport.Claimed;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import io.openmessaging.benchmark.worker.transport.Loopback;
import io.openmessaging.benchmark.worker.transport.NameLookup;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The workers of a coordinator: claimed many at a time, kept by regular heartbeats, released on close. */
public final class Workers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    private static final int AT_A_TIME = 32;
    private static final int SESSION_BYTES = 24;
    private static final long PAUSE_MS = 200;

    /** The first call opens the connection, which the median of three ignores. */
    static final int FIRST_ROUND_TRIPS = 3;

    /**
     * The coordinator that needs workers, and how it connects.
     *
     * @param build build of the coordinator
     * @param name name of the coordinator, for people
     * @param key key of both sides; null if only plain HTTP is used
     * @param insecure true if plain HTTP to other machines is permitted
     * @param timeouts time limits for worker calls
     * @param console receives lines for the user while workers are connected, on any thread
     */
    public record ConnectOptions(
            Build build,
            String name,
            @Nullable KeyFile key,
            boolean insecure,
            WorkerTimeouts timeouts,
            Consumer<String> console) {}

    private final ConnectOptions coordinator;
    private final ClaimedWorker.Lines lines;

    /** Equal at all workers, so that a worker with two names is recognized as one. */
    private final String session = newSession();

    private final Queue<ClaimedWorker> claimed = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor(Workers::newThread);
    private final AtomicBoolean closed = new AtomicBoolean();
    private List<ClaimedWorker> all = List.of();

    /** Creates an instance that has claimed no worker yet. */
    Workers(ConnectOptions coordinator) {
        this.coordinator = coordinator;
        WorkerTimeouts timeouts = coordinator.timeouts();
        this.lines = new ClaimedWorker.Lines(
                new WorkerCalls("worker-steps", coordinator.key(), timeouts),
                new WorkerCalls("worker-beats", coordinator.key(), timeouts),
                timeouts);
        long everyNs = ClaimedWorker.BEAT.toNanos();
        var unused = heart.scheduleAtFixedRate(this::beat, everyNs, everyNs, TimeUnit.NANOSECONDS);
    }

    private static String newSession() {
        byte[] bytes = new byte[SESSION_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "workers");
        thread.setDaemon(true);
        return thread;
    }

    /** Runs for each worker from its claim on: its lease must not end while others are still being claimed. */
    private void beat() {
        for (ClaimedWorker worker : claimed) {
            try {
                worker.beat();
            } catch (RuntimeException e) {
                LOG.warn("{} could not be sent a heartbeat", worker, e);
            }
        }
    }

    /**
     * Claims workers, all at the same time. If one is not available, the others are released.
     *
     * @param urls URLs as the user gave them, in the order of the workers
     * @throws WorkerException that names all unavailable workers, with the reasons
     */
    public static Workers claim(List<String> urls, ConnectOptions coordinator)
            throws WorkerException, InterruptedException {
        return claim(urls, coordinator, false);
    }

    /**
     * Claims those workers that are neither busy nor away, all at the same time; they keep their numbers.
     *
     * @param urls URLs as the user gave them
     * @throws WorkerException with all obstacles, if anything else is in the way or no worker is left
     */
    public static Workers claimRemaining(List<String> urls, ConnectOptions coordinator)
            throws WorkerException, InterruptedException {
        return claim(urls, coordinator, true);
    }

    private static Workers claim(List<String> urls, ConnectOptions coordinator, boolean remaining)
            throws WorkerException, InterruptedException {
        Workers workers = new Workers(coordinator);
        boolean complete = false;
        try {
            workers.claim(workers.urls(urls), remaining);
            complete = true;
            return workers;
        } finally {
            if (!complete) {
                workers.close();
            }
        }
    }

    private void claim(List<WorkerUrl> urls, boolean remaining) throws WorkerException, InterruptedException {
        List<String> missing = new CopyOnWriteArrayList<>();
        List<Callable<Optional<ClaimedWorker>>> tasks = new ArrayList<>();
        for (WorkerUrl url : urls) {
            tasks.add(() -> {
                try {
                    return Optional.of(claim(url));
                } catch (WorkerException e) {
                    if (!remaining || !e.mayPass()) {
                        throw e;
                    }
                    missing.add(String.valueOf(e.getMessage()));
                    return Optional.empty();
                }
            });
        }
        all = together(tasks).stream().flatMap(Optional::stream).toList();
        refuseOneTwice(all);
        if (remaining && all.isEmpty()) {
            throw new WorkerException(String.join("\n", missing), null, true);
        }
    }

    /** Returns the addresses of workers unless one of them cannot be used. */
    List<WorkerUrl> urls(List<String> texts) throws WorkerException {
        List<WorkerUrl> urls = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String text : texts) {
            try {
                WorkerUrl url = WorkerUrl.parse(urls.size() + problems.size() + 1, text);
                refuseUnsafe(url);
                urls.add(url);
            } catch (WorkerException e) {
                problems.add(e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new WorkerException(String.join("\n", problems));
        }
        return urls;
    }

    private void refuseUnsafe(WorkerUrl url) throws WorkerException {
        if (url.isSecure() && coordinator.key() == null) {
            throw new WorkerException(url + ": https requires the worker's key file: pass it with --key");
        }
        if (!url.isSecure() && !coordinator.insecure() && !Loopback.isName(url.host())) {
            throw new WorkerException(url + ": http to another machine can be read and changed in transit: use https://"
                    + " and --key, or --insecure on both sides in a private network");
        }
    }

    /** Two names of one worker would measure one machine and call it two. */
    private static void refuseOneTwice(List<ClaimedWorker> workers) throws WorkerException {
        Map<String, ClaimedWorker> seen = new HashMap<>();
        for (ClaimedWorker worker : workers) {
            ClaimedWorker same = seen.putIfAbsent(worker.info().incarnation(), worker);
            if (same != null) {
                throw new WorkerException(worker + ": is the same process as " + same);
            }
        }
    }

    /** Executes all tasks, many at the same time; throws an exception with the problems of all of them. */
    static <T> List<T> together(List<Callable<T>> tasks) throws WorkerException, InterruptedException {
        if (tasks.isEmpty()) {
            return List.of();
        }
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(AT_A_TIME, tasks.size()), Workers::newThread);
        try {
            List<T> done = new ArrayList<>();
            List<String> problems = new ArrayList<>();
            boolean mayPass = true;
            for (Future<T> task : threads.invokeAll(tasks)) {
                try {
                    done.add(task.get());
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof WorkerException problem)) {
                        throw new IllegalStateException(e.getCause());
                    }
                    problems.add(problem.getMessage());
                    mayPass &= problem.mayPass();
                }
            }
            if (!problems.isEmpty()) {
                throw new WorkerException(String.join("\n", problems), null, mayPass);
            }
            return done;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Looks up a worker's name. A name without an address may get one, as those of Kubernetes' pods do. */
    void lookUp(WorkerUrl url) throws WorkerException, InterruptedException {
        Optional<String> problem =
                NameLookup.start(url.host(), coordinator.console()).problem();
        if (problem.isPresent()) {
            throw new WorkerException(url + ": " + problem.get() + "; check --workers or the workers file", null, true);
        }
    }

    /** Claims a worker; waits for one that is being freed. */
    ClaimedWorker claim(WorkerUrl url) throws WorkerException, InterruptedException {
        lookUp(url);
        byte[] claim = Wire.write(new Claim(coordinator.build(), coordinator.name(), session));
        long beganNs = System.nanoTime();
        while (true) {
            String why;
            try {
                Reply reply = lines.steps().post(url, Paths.CLAIM, null, claim);
                if (reply.is(Paths.DONE) && !reply.incarnation().isEmpty()) {
                    return claimed(url, reply);
                }
                why = reply.refusal();
                if (!reply.is(Paths.SOON)) {
                    throw new WorkerException(url + ": " + why, null, reply.is(Paths.BUSY));
                }
            } catch (IOException e) {
                why = FailureText.describe(url, lines.timeouts(), e);
                // A lost answer is requested again; an unreachable worker or one with another key is not tried again.
                boolean away = e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
                if (away || FailureText.isLasting(e)) {
                    throw new WorkerException(url + ": " + why, e, away);
                }
            }
            refuseLate(url, beganNs, why, true);
            Thread.sleep(PAUSE_MS);
        }
    }

    private void refuseLate(WorkerUrl url, long beganNs, String why, boolean mayPass) throws WorkerException {
        if (System.nanoTime() - beganNs
                > lines.timeouts().of(WorkerTimeout.FREE).toNanos()) {
            throw new WorkerException(
                    url + ": not free within " + lines.timeouts().describe(WorkerTimeout.FREE) + ": " + why,
                    null,
                    mayPass);
        }
    }

    private ClaimedWorker claimed(WorkerUrl url, Reply reply) throws InterruptedException {
        WorkerLiveness liveness = new WorkerLiveness(lines.timeouts(), ClaimedWorker.BEAT.toNanos(), System::nanoTime);
        ClaimedWorker worker = new ClaimedWorker(url, session, reply.read(Claimed.class), lines, liveness);
        claimed.add(worker);
        measureRoundTrip(worker);
        return worker;
    }

    /** Takes place before the first heartbeat, which comes a second later. */
    private static void measureRoundTrip(ClaimedWorker worker) throws InterruptedException {
        try {
            for (int i = 0; i < FIRST_ROUND_TRIPS; i++) {
                worker.readClock();
            }
        } catch (IOException e) {
            LOG.warn("{} was claimed, but: {}", worker, e.getMessage());
        }
    }

    ConnectOptions coordinator() {
        return coordinator;
    }

    ClaimedWorker.Lines lines() {
        return lines;
    }

    /** The workers, in the order of their URLs. */
    public List<ClaimedWorker> all() {
        return all;
    }

    /** Releases all workers; returns once they are free or a timeout has passed. */
    @Override
    public void close() {
        // A second attempt would use threads that have ended, and would never be answered.
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        List<Callable<Boolean>> tasks = new ArrayList<>();
        claimed.forEach(worker -> tasks.add(() -> release(worker)));
        boolean interrupted = Thread.interrupted();
        try {
            together(tasks);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (WorkerException e) {
            LOG.warn("Could not release all workers: {}", e.getMessage());
        }
        heart.shutdownNow();
        lines.steps().close();
        lines.beats().close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the worker is free, unless it is lost. */
    private boolean release(ClaimedWorker worker) throws WorkerException, InterruptedException {
        long beganNs = System.nanoTime();
        while (worker.lost().isEmpty()) {
            String last;
            try {
                Reply reply = lines.steps().post(worker.url(), Paths.RELEASE, session, WorkerCalls.NOTHING);
                if (!reply.is(Paths.GOES_ON)) {
                    return true;
                }
                last = reply.text();
            } catch (IOException e) {
                last = worker.describe(e);
                worker.unanswered(e);
                Thread.sleep(PAUSE_MS);
            }
            refuseLate(worker.url(), beganNs, last, false);
        }
        return false;
    }
}
