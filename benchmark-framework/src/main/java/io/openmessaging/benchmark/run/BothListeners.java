package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.result.RunResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Tells two listeners the same, one after the other. */
record BothListeners(RunListener first, RunListener second) implements RunListener {

    @Override
    public void phase(RunPhase phase) {
        first.phase(phase);
        second.phase(phase);
    }

    @Override
    public void tick(RunPhase phase, Optional<Duration> left, Totals totals) {
        first.tick(phase, left, totals);
        second.tick(phase, left, totals);
    }

    @Override
    public void period(RunPhase phase, Optional<Duration> left, PeriodSnapshot period) {
        first.period(phase, left, period);
        second.period(phase, left, period);
    }

    @Override
    public void load(double rateMsgPerSec) {
        first.load(rateMsgPerSec);
        second.load(rateMsgPerSec);
    }

    @Override
    public void errors(Map<String, Long> byKind) {
        first.errors(byKind);
        second.errors(byKind);
    }

    @Override
    public void resources(ResourcePeriod used) {
        first.resources(used);
        second.resources(used);
    }

    @Override
    public void searchStep(double targetMsgPerSec, double achievedMsgPerSec, boolean sustained) {
        first.searchStep(targetMsgPerSec, achievedMsgPerSec, sustained);
        second.searchStep(targetMsgPerSec, achievedMsgPerSec, sustained);
    }

    @Override
    public void loadStep(RunResult.LoadStep step) {
        first.loadStep(step);
        second.loadStep(step);
    }
}
