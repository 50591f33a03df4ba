package io.openmessaging.benchmark.cli.console;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Cells;
import io.openmessaging.benchmark.plan.PlannedRun;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.file.RunMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Estimates how long a plan runs and how much its runs write. Where a workload sets no rate, the study's published rate
 * of that cell stands for it. Where there is none either, the estimate is a lower limit.
 */
public final class PlanEstimate {

    private static final Set<String> RATES = Set.of(RunMetrics.PUBLISH_RATE, RunMetrics.TOTAL_RATE);
    private static final double BYTES_PER_GB = 1e9;

    private final Cells cells;
    private final Optional<PublishedFile> published;
    private Duration time = Duration.ZERO;
    private double bytes;
    private double mostBytes;
    private String largest = "";
    private boolean timeIsLowest;
    private boolean bytesAreLowest;
    private boolean usesPublished;

    /**
     * Estimates the runs.
     *
     * @param cells all cells of the plan
     * @param published the study's figures, if it has any
     */
    public PlanEstimate(List<PlannedRun> runs, Cells cells, Optional<PublishedFile> published) {
        this.cells = cells;
        this.published = published;
        runs.forEach(this::add);
    }

    private void add(PlannedRun run) {
        Workload workload = run.setup().workload().workload();
        timeIsLowest |= workload.consumesOnly() || workload.buildsBacklog();
        OptionalDouble rate = workload.consumesOnly() ? OptionalDouble.of(0) : rate(workload, run.cell());
        Duration sending = WorkloadOutline.shortest(workload, rate);
        time = time.plus(sending);
        if (rate.isEmpty()) {
            bytesAreLowest = true;
            timeIsLowest |=
                    workload.messageCount() != null || workload.producerRate() instanceof ProducerRate.MaxSustainable;
            return;
        }
        double written = sending.toNanos() / 1e9 * rate.getAsDouble() * workload.meanMessageBytes();
        bytes += written;
        if (written > mostBytes) {
            mostBytes = written;
            largest = run.cell().path();
        }
    }

    /** Returns the rate of the workload, or of the study where the workload sends as fast as it can. */
    private OptionalDouble rate(Workload workload, Cell cell) {
        if (workload.messageRate() instanceof ProducerRate.Fixed fixed) {
            return OptionalDouble.of(fixed.messagesPerSecond());
        }
        if (!(workload.producerRate() instanceof ProducerRate.Unlimited)) {
            return OptionalDouble.empty();
        }
        OptionalDouble found = published.stream()
                .flatMap(file -> file.keys().values().stream())
                .filter(value -> RATES.contains(value.metric()) && isOf(value, cell))
                .mapToDouble(PublishedFile.Value::value)
                .filter(value -> value > 0)
                .findFirst();
        usesPublished |= found.isPresent();
        return found;
    }

    private boolean isOf(PublishedFile.Value value, Cell cell) {
        return value.unmeasured() == null
                && value.run() == null
                && value.experiment().equals(cell.experiment())
                && value.system().equals(cell.system())
                && (value.caseName() == null
                        || cells.cases(cell.experiment(), value.caseName()).contains(cell.caseName()));
    }

    private static String about(boolean lowest) {
        return lowest ? "at least" : "about";
    }

    /**
     * Returns the estimate in words.
     *
     * @param cooling the time of all cool-downs
     */
    public List<String> lines(Duration cooling) {
        String rates = usesPublished ? ", by the rates that the study reports" : "";
        String cooldowns = cooling.isZero() ? "" : ", " + DurationText.format(cooling) + " of it cool-downs";
        Duration total = time.plus(cooling);
        String times = "all together: %s%s%s, plus the time that brokers take to start"
                .formatted(
                        total.isZero()
                                ? "as long as the messages take"
                                : about(timeIsLowest) + " " + DurationText.format(total),
                        cooldowns,
                        rates);
        if (mostBytes < BYTES_PER_GB) {
            return List.of(times);
        }
        return List.of(
                times,
                ("messages written: %s %s GB, up to %s GB by one run (%s); the disk needs that for each copy, unless"
                                + " the system deletes old messages during a run")
                        .formatted(
                                about(bytesAreLowest),
                                Quantities.number(bytes / BYTES_PER_GB),
                                Quantities.number(mostBytes / BYTES_PER_GB),
                                largest));
    }
}
