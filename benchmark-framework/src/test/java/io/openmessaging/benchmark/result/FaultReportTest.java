package io.openmessaging.benchmark.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of what is added up over the faults of a run. */
class FaultReportTest {

    @Test
    void messagesOutOfOrderAreThoseOfTheFaults() {
        assertThat(report(7L, 2L, 3L).outOfOrder()).isEqualTo(5);
        assertThat(report(7L).outOfOrder()).isZero();
    }

    @Test
    void anOrderThatNobodyCanJudgeHasNoSum() {
        assertThat(report(null, null, null).outOfOrder()).isNull();
    }

    private static FaultOutcome.FaultReport report(@Nullable Long before, @Nullable Long... outOfOrder) {
        List<FaultOutcome> faults =
                Arrays.stream(outOfOrder).map(FaultReportTest::fault).toList();
        return new FaultOutcome.FaultReport(faults, List.of(), messages(before), 0);
    }

    private static FaultOutcome fault(@Nullable Long outOfOrder) {
        FaultOutcome.Event killed = new FaultOutcome.Event("killed", 1, 1, 2, 2, null, List.of(), Map.of());
        return new FaultOutcome(killed, null, 0, 0, 0, null, null, null, messages(outOfOrder), Map.of());
    }

    private static FaultOutcome.Messages messages(@Nullable Long outOfOrder) {
        return new FaultOutcome.Messages(0, 0, 0, 0, null, 0, 0, outOfOrder, 0);
    }
}
