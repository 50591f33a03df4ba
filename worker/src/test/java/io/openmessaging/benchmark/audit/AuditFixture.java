package io.openmessaging.benchmark.audit;

import java.util.List;

/** Audits as a run would report them. */
public final class AuditFixture {

    private AuditFixture() {}

    /** With nothing that may still be on its way, and nothing damaged. */
    public static AuditReport.Subscription subscription(
            int subscription,
            long expected,
            long received,
            long lost,
            long duplicated,
            long outOfOrder,
            long failedButReceived,
            long unexpected,
            List<String> firstLost) {
        return new AuditReport.Subscription(
                subscription,
                expected,
                received,
                lost,
                0,
                duplicated,
                outOfOrder,
                failedButReceived,
                unexpected,
                firstLost,
                0);
    }
}
