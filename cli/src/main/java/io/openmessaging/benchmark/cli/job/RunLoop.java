package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.cli.job.RunExecutor.Execution;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes and reports the runs of a job, one after the other. One broker is alive at a time: it is kept for the next
 * run if that has the same driver and needs no other nodes.
 */
final class RunLoop {

    /** Executes a run with a broker, and prints its progress and summary. */
    @FunctionalInterface
    interface Executor {
        Execution execute(BrokerLease broker, WorkloadFile workload, int repetition, ResultFiles files)
                throws InterruptedException;
    }

    /**
     * A run.
     *
     * @param number its place in the agenda, from 1
     * @param heading printed before it; empty for none
     * @param repetition number among equal runs, from 1
     * @param files destination of its result
     * @param cooldown pause before it if another run has preceded it
     */
    record Turn(
            int number,
            String heading,
            ConfiguredDriver driver,
            WorkloadFile workload,
            int repetition,
            ResultFiles files,
            Duration cooldown) {}

    private final Invocation session;
    private final Executor executor;
    private final boolean ofPlan;
    private final LongSupplier clockNs;
    private final long beganNs;
    private final Map<DriverFile, Execution> withoutBroker = new HashMap<>();
    private @Nullable BrokerLease lease;
    private long waitedNs;
    private boolean hasRun;
    private boolean failed;

    /**
     * Creates a loop that has no broker yet.
     *
     * @param ofPlan true if each run may try to get a broker where an earlier one had none or a broken one, and the
     *     caller skips runs that never can; false if all further runs of the driver fail
     */
    RunLoop(Invocation session, Executor executor, boolean ofPlan) {
        this(session, executor, ofPlan, System::nanoTime);
    }

    RunLoop(Invocation session, Executor executor, boolean ofPlan, LongSupplier clockNs) {
        this.session = session;
        this.executor = executor;
        this.ofPlan = ofPlan;
        this.clockNs = clockNs;
        beganNs = clockNs.getAsLong();
    }

    /** Executes a run and reports its outcome, except that of a run which the caller has to skip. */
    Execution run(Turn turn) {
        Execution earlier = withoutBroker.get(turn.driver().file());
        if (earlier != null) {
            return finished(turn.number(), earlier);
        }
        Execution outcome = attempt(turn);
        if (ofPlan && outcome.noBroker() instanceof BrokerUnavailableException) {
            return outcome;
        }
        if (!ofPlan && outcome.noBroker() != null) {
            withoutBroker.put(turn.driver().file(), outcome);
        }
        return report(turn.number(), outcome);
    }

    private Execution attempt(Turn turn) {
        try {
            if (lease != null && (!lease.isFor(turn) || (ofPlan && lease.isBroken()))) {
                endBroker();
            }
            coolDown(turn);
            if (!turn.heading().isEmpty()) {
                session.out().println(turn.heading());
            }
            session.live().preparing(turn.number(), BrokerLease.WAIT);
            long askedNs = clockNs.getAsLong();
            BrokerLease broker = lease == null ? BrokerLease.take(turn.driver(), turn.workload(), session) : lease;
            waitedNs += clockNs.getAsLong() - askedNs;
            lease = broker;
            Execution outcome = executor.execute(broker, turn.workload(), turn.repetition(), turn.files());
            hasRun = true;
            return outcome;
        } catch (LocalBrokerException | BrokerLease.NobodyListensException e) {
            return new Execution(Verdict.FAILED, String.valueOf(e.getMessage()), null, e);
        } catch (InterruptedException e) {
            session.stop().request();
            return new Execution(Verdict.INTERRUPTED, null, null, null);
        }
    }

    private void coolDown(Turn turn) throws InterruptedException {
        Duration cooldown = due(turn.cooldown());
        if (!cooldown.isZero()) {
            hasRun = false;
            String doing = "cooling down for " + DurationText.format(cooldown);
            session.out().println(doing);
            session.live().preparing(turn.number(), doing);
            if (session.stop().await(cooldown.toNanos())) {
                throw new InterruptedException(doing);
            }
        }
    }

    /** Returns how much of a cool-down is due now: nothing unless a run has been executed since the last one. */
    Duration due(Duration cooldown) {
        return hasRun ? cooldown : Duration.ZERO;
    }

    /** Reports how a run ended. A problem is printed unless it is in a result, whose summary has told it. */
    Execution report(int number, Execution outcome) {
        if (outcome.problem() != null && outcome.file() == null) {
            session.complain(outcome.problem());
        }
        return finished(number, outcome);
    }

    private Execution finished(int number, Execution outcome) {
        session.live().finished(number, outcome.verdict().name(), outcome.problem());
        failed |= outcome.failed();
        return outcome;
    }

    /** Returns the time since the loop was created. */
    Duration took() {
        return Duration.ofNanos(clockNs.getAsLong() - beganNs);
    }

    /** Returns the time in which brokers were started. */
    Duration waitedForBrokers() {
        return Duration.ofNanos(waitedNs);
    }

    /** Returns the exit code for the outcomes of all runs. */
    int exitCode() {
        return session.stop().requested() ? ExitCode.INTERRUPTED : failed ? ExitCode.FAILED : ExitCode.OK;
    }

    /** Ends the broker, if there is one: the next run gets another. */
    void endBroker() {
        if (lease != null) {
            lease.close();
            lease = null;
        }
    }
}
