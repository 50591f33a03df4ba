package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.remote.WorkerCalls.Reply;
import io.openmessaging.benchmark.worker.transport.Paths;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * An inspection of workers: free ones are claimed until this is closed, so that their clocks can be read; others are
 * left alone.
 */
public final class Visit implements AutoCloseable {

    /**
     * The result for one worker.
     *
     * @param worker number and URL of the worker
     * @param info the worker's description of itself; empty if it is not reachable
     * @param roundTripNs time of a request and its answer; 0 if the worker is not reachable
     * @param claimed the worker, if it was free
     * @param problem reason why the worker cannot be used; empty if it can, or could if it were not busy
     * @param mayPass true if that problem may pass: the worker is away, but nothing is wrong with it
     */
    public record Seen(
            String worker,
            Optional<WorkerInfo> info,
            long roundTripNs,
            Optional<ClaimedWorker> claimed,
            Optional<String> problem,
            boolean mayPass) {}

    private final Workers workers;
    private List<Seen> all = List.of();

    private Visit(Workers.ConnectOptions coordinator) {
        this.workers = new Workers(coordinator);
    }

    /**
     * Inspects workers, all at the same time.
     *
     * @param urls URLs as the user gave them
     * @throws WorkerException if a URL is not that of a worker, or would use a connection that others can read
     */
    public static Visit pay(List<String> urls, Workers.ConnectOptions coordinator)
            throws WorkerException, InterruptedException {
        Visit visit = new Visit(coordinator);
        boolean complete = false;
        try {
            List<Callable<Seen>> tasks = new ArrayList<>();
            visit.workers.urls(urls).forEach(url -> tasks.add(() -> visit.see(url)));
            visit.all = Workers.together(tasks);
            complete = true;
            return visit;
        } finally {
            if (!complete) {
                visit.close();
            }
        }
    }

    private Seen see(WorkerUrl url) throws InterruptedException {
        WorkerCalls calls = workers.lines().beats();
        try {
            workers.lookUp(url);
            Reply first = calls.get(url, Paths.INFO);
            if (!first.is(Paths.DONE) || first.incarnation().isEmpty()) {
                return notThere(url, first.refusal(), false);
            }
            return see(url, first.read(WorkerInfo.class), roundTripNs(url, calls), calls);
        } catch (WorkerException e) {
            return notThere(url, reason(url, e), e.mayPass());
        } catch (IOException e) {
            String why = FailureText.describe(url, workers.lines().timeouts(), e);
            return notThere(url, why, !FailureText.isLasting(e));
        }
    }

    /** Returns the median of a few round trips on an open connection. */
    private static long roundTripNs(WorkerUrl url, WorkerCalls calls) throws IOException, InterruptedException {
        long[] roundTripsNs = new long[Workers.FIRST_ROUND_TRIPS];
        for (int i = 0; i < roundTripsNs.length; i++) {
            long sentNs = System.nanoTime();
            calls.get(url, Paths.CLOCK);
            roundTripsNs[i] = System.nanoTime() - sentNs;
        }
        Arrays.sort(roundTripsNs);
        return roundTripsNs[roundTripsNs.length / 2];
    }

    /** Tries to claim a worker of another build as well, to get the reason of its refusal. */
    private Seen see(WorkerUrl url, WorkerInfo info, long roundTripNs, WorkerCalls calls)
            throws IOException, InterruptedException {
        boolean sameBuild = info.build().equals(workers.coordinator().build());
        Optional<ClaimedWorker> claimed = Optional.empty();
        Optional<String> problem = Optional.empty();
        boolean mayPass = false;
        WorkerInfo now = info;
        if (info.busy() == null || !sameBuild) {
            try {
                claimed = Optional.of(workers.claim(url));
            } catch (WorkerException e) {
                now = calls.get(url, Paths.INFO).read(WorkerInfo.class);
                // Another coordinator may have been faster.
                problem = sameBuild && now.busy() != null ? Optional.empty() : Optional.of(reason(url, e));
                mayPass = problem.isPresent() && e.mayPass();
            }
        }
        return new Seen(url.toString(), Optional.of(now), roundTripNs, claimed, problem, mayPass);
    }

    private static String reason(WorkerUrl url, WorkerException e) {
        return String.valueOf(e.getMessage()).substring((url + ": ").length());
    }

    private static Seen notThere(WorkerUrl url, String why, boolean mayPass) {
        return new Seen(url.toString(), Optional.empty(), 0, Optional.empty(), Optional.of(why), mayPass);
    }

    /** The results, in the order of the URLs. */
    public List<Seen> all() {
        return all;
    }

    /** Releases the claimed workers. */
    @Override
    public void close() {
        workers.close();
    }
}
