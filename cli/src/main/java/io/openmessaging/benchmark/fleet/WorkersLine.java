package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.run.WorkerState;
import io.openmessaging.benchmark.worker.remote.ClaimedWorker;
import java.util.ArrayList;
import java.util.List;

/** States of a run's workers, in the words of the progress line. */
public final class WorkersLine {

    /** State of a worker that shows signs of life. */
    public static final String UP = "is back";

    private static final int MOST_NAMED = 3;

    private WorkersLine() {}

    /** Describes the state of a worker as a sentence without its name. */
    public static String state(WorkerState worker) {
        return worker.lost().map(why -> "lost: " + why).orElse(worker.suspect() ? ClaimedWorker.SILENT : UP);
    }

    /** Returns the number of workers, in words. */
    public static String count(List<WorkerState> workers) {
        return Quantities.counted(workers.size(), "worker");
    }

    /** Returns which of how many workers are suspect or lost; empty if none are. */
    public static String trouble(List<WorkerState> workers) {
        List<String> silent = workers.stream()
                .filter(worker -> !worker.isUp())
                .map(worker -> worker.name().replaceFirst(" \\(.*", "")
                        + (worker.lost().isPresent() ? " lost" : " suspect"))
                .toList();
        if (silent.isEmpty()) {
            return "";
        }
        List<String> shown = new ArrayList<>(silent.subList(0, Math.min(MOST_NAMED, silent.size())));
        if (shown.size() < silent.size()) {
            shown.add((silent.size() - shown.size()) + " more");
        }
        return count(workers) + ", " + String.join(", ", shown);
    }
}
