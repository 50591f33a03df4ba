package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.cli.console.WorkloadOutline;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.live.Agenda;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.Manifest.Entry;
import io.openmessaging.benchmark.plan.Manifest.Status;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.plan.PlanFolder;
import io.openmessaging.benchmark.plan.PlannedRun;
import io.openmessaging.benchmark.result.PlanPlace;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Executes the remaining runs of a plan, one by one. */
final class PlanRunner {

    private final PlanJob job;
    private final PlanFolder folder;
    private final Invocation session;
    private final PrintWriter out;
    private final LiveRuns live;
    private final RunLoop loop;
    private final long beganNs = System.nanoTime();
    private int started;

    PlanRunner(PlanJob job, PlanFolder folder, RunExecutor executor, Invocation session) {
        this.job = job;
        this.folder = folder;
        this.session = session;
        this.out = session.out();
        this.live = session.live();
        this.loop = new RunLoop(session, executor::execute, true);
    }

    /**
     * Executes all remaining runs; continues with the next run if one fails.
     *
     * @return the exit code
     * @throws PlanException if the results of the plan cannot be written
     */
    int runAll() throws PlanException {
        List<PlannedRun> selected = job.plan().selectedInOrder(folder.manifest().seed());
        announce(selected);
        live.agenda(
                new Agenda(job.plan().name(), selected.stream().map(this::item).toList()));
        try {
            for (int i = 0; i < selected.size() && !session.stop().requested(); i++) {
                if (isToDo(selected.get(i))) {
                    if (isTooLate(selected.get(i))) {
                        break;
                    }
                    run(selected, i + 1);
                }
            }
        } finally {
            loop.endBroker();
        }
        Manifest manifest = folder.manifest();
        try {
            PlanClaims.conclude(folder.path(), manifest, job.published(), out);
        } catch (PlanException e) {
            // Print the figures that were computed nevertheless.
            session.complain(String.valueOf(e.getMessage()));
            return Math.max(conclude(manifest), ExitCode.FAILED);
        }
        return conclude(manifest);
    }

    private Agenda.Item item(PlannedRun run) {
        PlannedRun.Setup setup = run.setup();
        Entry entry = folder.entry(run);
        String earlier = switch (entry.status()) {
            case PENDING -> null;
            case SKIPPED -> LiveRuns.SKIPPED;
            case DONE, FAILED ->
                entry.verdict() == null
                        ? Verdict.FAILED.name()
                        : entry.verdict().name();
        };
        return new Agenda.Item(
                name(run), WorkloadOutline.shortest(setup.workload().workload()).plus(setup.cooldown()), earlier);
    }

    private boolean isToDo(PlannedRun run) {
        return folder.entry(run).status() == Status.PENDING;
    }

    /** Returns whether the run would start after {@code --stop-after}. The first one always starts. */
    private boolean isTooLate(PlannedRun run) {
        Duration start = Duration.ofNanos(System.nanoTime() - beganNs)
                .plus(loop.due(run.setup().cooldown()));
        return started > 0
                && job.stopAfter().filter(limit -> start.compareTo(limit) >= 0).isPresent();
    }

    private void announce(List<PlannedRun> selected) {
        long toDo = selected.stream().filter(this::isToDo).count();
        TimeScale scale = job.plan().request().timeScale();
        Duration cooldown = job.plan().request().cooldown();
        out.printf(
                "plan %s: %s results in %s%s%s%n",
                job.plan().name(),
                folder.resumed()
                        ? "resumes, " + toDo + " of " + selected.size() + " runs remain,"
                        : selected.size() + " runs,",
                folder.path(),
                scale.shortens() ? ", shortened by " + scale.factor() : "",
                cooldown == null ? "" : ", cool-downs of " + DurationText.format(cooldown) + " instead of the plan's");
        selected.stream()
                .filter(this::isToDo)
                .collect(Collectors.toMap(run -> run.cell().system(), job::driver, (one, same) -> one, TreeMap::new))
                .forEach(this::warnOfOtherClient);
    }

    /** Runs of different clients are not repetitions of each other, which would show only once all are done. */
    private void warnOfOtherClient(String system, ConfiguredDriver driver) {
        String version = driver.loaded().clientVersion();
        folder.clientVersionOf(system)
                .filter(former -> !former.equals(version))
                .ifPresent(former -> out.printf(
                        "warning: %s: finished runs had %s, the others will have %s and be no repetitions of them;"
                                + " --fresh starts over%n",
                        system, former, version));
    }

    private void run(List<PlannedRun> selected, int position) throws PlanException {
        PlannedRun run = selected.get(position - 1);
        PlannedRun.Setup setup = run.setup();
        if (setup.restartBroker()) {
            loop.endBroker();
        }
        started++;
        RunExecutor.Execution outcome = loop.run(new RunLoop.Turn(
                position,
                "run %d of %d: %s".formatted(position, selected.size(), name(run)),
                job.driver(run),
                setup.workload(),
                run.repetition(),
                ResultFiles.ofPlan(folder.fileOf(run), place(run)),
                setup.cooldown()));
        if (outcome.noBroker() instanceof BrokerUnavailableException e) {
            String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("it cannot run here");
            skip(selected, run.cell().system(), reason);
        } else {
            folder.finished(run, outcome.verdict(), outcome.problem());
        }
    }

    private static String name(PlannedRun run) {
        return run.cell().path() + ", repetition " + run.repetition();
    }

    private PlanPlace place(PlannedRun run) {
        Cell cell = run.cell();
        return new PlanPlace(
                job.plan().name(),
                cell.experiment(),
                cell.system(),
                cell.caseName(),
                cell.parameters(),
                run.repetition(),
                job.plan().request().timeScale().factor());
    }

    /** Skips all remaining runs of a system that cannot run here. */
    private void skip(List<PlannedRun> selected, String system, String reason) throws PlanException {
        int skipped = 0;
        for (int i = 0; i < selected.size(); i++) {
            PlannedRun run = selected.get(i);
            if (run.cell().system().equals(system) && isToDo(run)) {
                live.finished(i + 1, LiveRuns.SKIPPED, reason);
                folder.skipped(run, reason);
                skipped++;
            }
        }
        out.printf("skipped all %d runs of %s: %s%n", skipped, system, reason);
    }

    private int conclude(Manifest manifest) {
        long invalid = count(manifest, Verdict.INVALID);
        long sloMissed = count(manifest, Verdict.SLO_MISSED);
        long failed = manifest.count(Status.FAILED);
        long expected = job.plan().selected().stream()
                .filter(folder::hasFailedAsExpected)
                .count();
        long done = manifest.count(Status.DONE);
        int notChosen = manifest.runs().size() - job.plan().selected().size();
        out.printf(
                "%nplan %s: %d OK, %d INVALID,%s %d failed%s, %d skipped,%s %d remaining; results in %s%n",
                manifest.plan(),
                done - invalid - sloMissed,
                invalid,
                sloMissed == 0 ? "" : " " + sloMissed + " SLO_MISSED,",
                failed,
                expected == 0 ? "" : " (" + expected + " as expected)",
                manifest.count(Status.SKIPPED) - notChosen,
                notChosen == 0 ? "" : " " + notChosen + " not chosen (--only),",
                manifest.count(Status.PENDING),
                folder.path());
        if (session.stop().requested()) {
            out.println("run the same command to resume");
            return ExitCode.INTERRUPTED;
        }
        long remaining = manifest.count(Status.PENDING);
        if (remaining > 0) {
            out.printf(
                    "stopped after %s, as asked, with %d of its runs left; run the same command to resume%n",
                    DurationText.format(job.stopAfter().orElse(Duration.ZERO)), remaining);
            return ExitCode.REMAINING;
        }
        if (folder.resumed() && started == 0) {
            out.println("nothing was left to run; --fresh starts over");
        }
        return failed > expected || invalid > 0 || sloMissed > 0 ? ExitCode.FAILED : ExitCode.OK;
    }

    private static long count(Manifest manifest, Verdict verdict) {
        return manifest.runs().stream()
                .map(Entry::verdict)
                .filter(verdict::equals)
                .count();
    }
}
