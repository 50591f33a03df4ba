package io.openmessaging.benchmark.result;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Effects of a busy machine on any run, so that tests of something else do not depend on them. */
public final class BusyMachine {

    private static final Set<String> FINDINGS = Set.of(
            "TargetRateMissed",
            "TargetRateExceeded",
            "LoadStalled",
            "RateDrifts",
            "RateUneven",
            "SendsLate",
            "DueMessagesUnsent",
            "NotSettled",
            "NotSteady",
            "HarnessCollectsGarbage",
            "HarnessCpuBound",
            "HostSaturated",
            "SendingThreadsBusy",
            "ConsumersBehind",
            "ConfirmationsBehind",
            "BacklogDrained");

    private BusyMachine() {}

    /**
     * Returns whether the run of this result file was measured to its end and has no findings except those of a busy
     * machine.
     */
    public static boolean explains(JsonNode result) {
        return switch (result.path("verdict").asString()) {
            case "OK" -> true;
            case "INVALID" ->
                result.path("findings")
                        .valueStream()
                        .filter(finding -> finding.path("severity").asString().equals("INVALIDATES"))
                        .allMatch(finding ->
                                FINDINGS.contains(finding.path("kind").asString()));
            default -> false;
        };
    }
}
