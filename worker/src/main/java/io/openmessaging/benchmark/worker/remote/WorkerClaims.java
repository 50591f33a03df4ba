package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.protocol.Wire;
import io.openmessaging.benchmark.worker.remote.WorkerCalls.Reply;
import io.openmessaging.benchmark.worker.transport.Claim;
import io.openmessaging.benchmark.worker.transport.Claimed;
import io.openmessaging.benchmark.worker.transport.Paths;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
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
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims workers, keeps them by regular heartbeats, and releases them, many at a time. */
final class WorkerClaims implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerClaims.class);

    private static final int AT_A_TIME = 32;
    private static final int SESSION_BYTES = 24;
    private static final long PAUSE_MS = 200;

    /** The first call opens the connection, which the median of three ignores. */
    private static final int FIRST_ROUND_TRIPS = 3;

    private static final byte[] NOTHING = {};

    private final Workers.ConnectOptions coordinator;
    private final ClaimedWorker.Lines lines;

    /** Equal at all workers, so that a worker with two names is recognized as one. */
    private final String session = newSession();

    private final Queue<ClaimedWorker> claimed = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor(WorkerClaims::newThread);
    private final ScheduledFuture<?> beats;

    WorkerClaims(Workers.ConnectOptions coordinator) {
        this.coordinator = coordinator;
        WorkerTimeouts timeouts = coordinator.timeouts();
        this.lines = new ClaimedWorker.Lines(
                new WorkerCalls("worker-steps", coordinator.key(), timeouts),
                new WorkerCalls("worker-beats", coordinator.key(), timeouts),
                timeouts);
        long everyNs = ClaimedWorker.BEAT.toNanos();
        this.beats = heart.scheduleAtFixedRate(this::beat, everyNs, everyNs, TimeUnit.NANOSECONDS);
    }

    private static String newSession() {
        byte[] bytes = new byte[SESSION_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static Thread newThread(Runnable task) {
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
     * Claims all workers, or none.
     *
     * @throws WorkerException with all obstacles
     */
    List<ClaimedWorker> all(List<String> texts) throws WorkerException, InterruptedException {
        List<WorkerUrl> urls = urls(texts);
        List<Callable<ClaimedWorker>> tasks = new ArrayList<>();
        urls.forEach(url -> tasks.add(() -> claim(url)));
        try {
            List<ClaimedWorker> all = together(tasks);
            refuseOneTwice(all);
            return all;
        } catch (WorkerException | InterruptedException e) {
            release(List.copyOf(claimed));
            throw e;
        }
    }

    /**
     * Claims those workers that are neither busy nor away.
     *
     * @throws WorkerException with all obstacles, if anything else is in the way or no worker is left
     */
    List<ClaimedWorker> remaining(List<String> texts) throws WorkerException, InterruptedException {
        List<String> missing = new CopyOnWriteArrayList<>();
        List<Callable<Optional<ClaimedWorker>>> tasks = new ArrayList<>();
        for (WorkerUrl url : urls(texts)) {
            tasks.add(() -> {
                try {
                    return Optional.of(claim(url));
                } catch (WorkerException e) {
                    if (!e.mayPass()) {
                        throw e;
                    }
                    missing.add(String.valueOf(e.getMessage()));
                    return Optional.empty();
                }
            });
        }
        try {
            List<ClaimedWorker> there =
                    together(tasks).stream().flatMap(Optional::stream).toList();
            refuseOneTwice(there);
            if (there.isEmpty()) {
                throw new WorkerException(String.join("\n", missing), null, true);
            }
            return there;
        } catch (WorkerException | InterruptedException e) {
            release(List.copyOf(claimed));
            throw e;
        }
    }

    /**
     * Inspects all workers, and claims free ones.
     *
     * @throws WorkerException if a URL cannot be used
     */
    List<Visit.Seen> visit(List<String> texts) throws WorkerException, InterruptedException {
        List<Callable<Visit.Seen>> tasks = new ArrayList<>();
        urls(texts).forEach(url -> tasks.add(() -> visit(url)));
        try {
            return together(tasks);
        } catch (WorkerException | InterruptedException e) {
            release(List.copyOf(claimed));
            throw e;
        }
    }

    private Visit.Seen visit(WorkerUrl url) throws InterruptedException {
        try {
            Reply first = lines.beats().get(url, Paths.INFO);
            if (!first.is(Paths.DONE) || first.incarnation().isEmpty()) {
                return notThere(url, refusal(first));
            }
            WorkerInfo info = first.read(WorkerInfo.class);
            return visit(url, info, roundTripNs(url));
        } catch (IOException e) {
            return notThere(url, FailureText.describe(url, lines.timeouts(), e));
        }
    }

    /** Returns the median of a few round trips on an open connection. */
    private long roundTripNs(WorkerUrl url) throws IOException, InterruptedException {
        long[] roundTripsNs = new long[FIRST_ROUND_TRIPS];
        for (int i = 0; i < FIRST_ROUND_TRIPS; i++) {
            long sentNs = System.nanoTime();
            lines.beats().get(url, Paths.CLOCK);
            roundTripsNs[i] = System.nanoTime() - sentNs;
        }
        Arrays.sort(roundTripsNs);
        return roundTripsNs[FIRST_ROUND_TRIPS / 2];
    }

    /** Tries to claim a worker of another build as well, to get the reason of its refusal. */
    private Visit.Seen visit(WorkerUrl url, WorkerInfo info, long roundTripNs)
            throws IOException, InterruptedException {
        boolean sameBuild = info.build().equals(coordinator.build());
        Optional<ClaimedWorker> claimed = Optional.empty();
        Optional<String> problem = Optional.empty();
        WorkerInfo now = info;
        if (info.busy() == null || !sameBuild) {
            try {
                claimed = Optional.of(claim(url));
            } catch (WorkerException e) {
                now = lines.beats().get(url, Paths.INFO).read(WorkerInfo.class);
                // Another coordinator may have been faster.
                problem = sameBuild && now.busy() != null
                        ? Optional.empty()
                        : Optional.of(String.valueOf(e.getMessage()).substring((url + ": ").length()));
            }
        }
        return new Visit.Seen(url.toString(), Optional.of(now), roundTripNs, claimed, problem);
    }

    private static Visit.Seen notThere(WorkerUrl url, String why) {
        return new Visit.Seen(url.toString(), Optional.empty(), 0, Optional.empty(), Optional.of(why));
    }

    private List<WorkerUrl> urls(List<String> texts) throws WorkerException {
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
        if (!url.isSecure() && !coordinator.insecure() && !url.isLocal()) {
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

    private static <T> List<T> together(List<Callable<T>> tasks) throws WorkerException, InterruptedException {
        if (tasks.isEmpty()) {
            return List.of();
        }
        ExecutorService threads =
                Executors.newFixedThreadPool(Math.min(AT_A_TIME, tasks.size()), WorkerClaims::newThread);
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

    private ClaimedWorker claim(WorkerUrl url) throws WorkerException, InterruptedException {
        byte[] claim = Wire.write(new Claim(coordinator.build(), coordinator.name(), session));
        long beganNs = System.nanoTime();
        while (true) {
            String why;
            try {
                Reply reply = lines.steps().post(url, Paths.CLAIM, null, claim);
                if (reply.is(Paths.DONE) && !reply.incarnation().isEmpty()) {
                    return claimed(url, reply);
                }
                why = refusal(reply);
                if (!reply.is(Paths.SOON)) {
                    throw new WorkerException(url + ": " + why, null, reply.is(Paths.BUSY));
                }
            } catch (IOException e) {
                why = FailureText.describe(url, lines.timeouts(), e);
                // A lost answer is requested again; an unreachable worker or one with another key is not tried again.
                boolean away = e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
                if (away || !FailureText.mayPass(e)) {
                    throw new WorkerException(url + ": " + why, e, away);
                }
            }
            if (System.nanoTime() - beganNs
                    > lines.timeouts().of(WorkerTimeout.FREE).toNanos()) {
                throw new WorkerException(
                        url + ": not free within " + lines.timeouts().describe(WorkerTimeout.FREE) + ": " + why,
                        null,
                        true);
            }
            Thread.sleep(PAUSE_MS);
        }
    }

    private static String refusal(Reply reply) {
        return reply.incarnation().isEmpty()
                ? "the server there is not a worker of this project (it answers " + reply.status() + ")"
                : reply.text();
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

    /** Releases workers and waits until they are free, except for lost ones. */
    void release(List<ClaimedWorker> workers) {
        List<Callable<Boolean>> tasks = new ArrayList<>();
        workers.forEach(worker -> tasks.add(() -> release(worker)));
        boolean interrupted = Thread.interrupted();
        try {
            together(tasks);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (WorkerException e) {
            LOG.warn("Could not release all workers: {}", e.getMessage());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean release(ClaimedWorker worker) throws WorkerException, InterruptedException {
        long beganNs = System.nanoTime();
        String last = "";
        while (worker.lost().isEmpty()) {
            try {
                Reply reply = lines.steps().post(worker.url(), Paths.RELEASE, worker.session(), NOTHING);
                if (!reply.is(Paths.GOES_ON)) {
                    return true;
                }
                last = reply.text();
            } catch (IOException e) {
                last = FailureText.describe(worker.url(), lines.timeouts(), e);
                worker.unanswered(e);
                Thread.sleep(PAUSE_MS);
            }
            if (System.nanoTime() - beganNs
                    > lines.timeouts().of(WorkerTimeout.FREE).toNanos()) {
                throw new WorkerException(
                        worker + ": not free within " + lines.timeouts().describe(WorkerTimeout.FREE) + ": " + last);
            }
        }
        return false;
    }

    @Override
    public void close() {
        beats.cancel(false);
        heart.shutdownNow();
        lines.steps().close();
        lines.beats().close();
    }
}
