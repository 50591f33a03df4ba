package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.claims.Claims.ComparedValue;
import io.openmessaging.benchmark.claims.Claims.JudgedClaim;
import io.openmessaging.benchmark.claims.Judgement.ClaimVerdict;
import io.openmessaging.benchmark.config.PublishedFile.OfRun;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.summary.CellSummary;
import io.openmessaging.benchmark.summary.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The judgements of a study's claims, for the console: no line has more than {@value #WIDTH} characters. */
public final class ClaimsText {

    static final int WIDTH = 100;

    /** Maximum number of values shown for a claim, unless all are asked for. */
    private static final int SHOWN_VALUES = 8;

    /** System, case, published value; then either measured value, interval and ratio, or why nothing was measured. */
    private static final String ROW = "    %-15s %-24s%11s %s";

    private static final String MEASURED = "%11s %-25s%7s";
    private static final int SYSTEM_WIDTH = 15;
    private static final int CASE_WIDTH = 24;
    private static final int INTERVAL_WIDTH = 25;
    private static final int RATIO_WIDTH = 7;
    private static final int MEASURED_WIDTH = 44;

    /** From this value on, numbers are written in millions. */
    private static final double MANY = 1e7;

    private static final double MILLION = 1e6;

    private ClaimsText() {}

    /**
     * Returns the lines, each with a line end.
     *
     * @param all whether a claim has all of its values: those that decided it, then the others. Else it has some of
     *     those that decided it
     */
    public static String render(Claims claims, boolean all) {
        List<String> lines = new ArrayList<>();
        if (!claims.values().isEmpty()) {
            lines.add("");
            lines.addAll(wrapped(claims.study() + ", published and measured values", ""));
            lines.add(ROW.formatted(
                    "system", "case", "published", MEASURED.formatted("measured", "95 % interval", "ratio")));
            addValues(claims.values(), lines);
        }
        for (JudgedClaim claim : claims.claims()) {
            lines.add("");
            addClaim(claim, all, lines);
        }
        lines.add("");
        String counts = Stream.of(ClaimVerdict.values())
                .map(outcome -> claims.count(outcome) + " " + outcome.words())
                .collect(Collectors.joining(", "));
        lines.addAll(wrapped("claims of " + claims.study() + ": " + counts, ""));
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    private static void addValues(List<ComparedValue> values, List<String> lines) {
        String before = "";
        for (ComparedValue value : values) {
            String unit = value.unit() == null ? "" : " (" + value.unit() + ")";
            OfRun run = value.value().run();
            String head = value.value().source() + ": " + value.value().metric() + unit
                    + (run == null ? "" : ", " + words(run))
                    + (value.value().experiment().isEmpty()
                            ? ""
                            : ", " + value.value().experiment());
            if (!head.equals(before)) {
                lines.addAll(wrapped(head, "  "));
                before = head;
            }
            lines.add(row(value));
        }
    }

    private static String row(ComparedValue compared) {
        Estimate measured = compared.measured();
        OfRun run = compared.value().run();
        String why = Objects.requireNonNullElse(compared.value().unmeasured(), "not measured");
        String right = measured == null
                ? cut(why, MEASURED_WIDTH)
                : MEASURED.formatted(
                        number(compared.found().orElseThrow()),
                        cut(run == null ? interval(measured) : "(" + words(run) + ")", INTERVAL_WIDTH),
                        cut(ratio(compared), RATIO_WIDTH));
        String system = cut(compared.value().system(), SYSTEM_WIDTH);
        String caseName = cut(Objects.requireNonNullElse(compared.caseName(), ""), CASE_WIDTH);
        return ROW.formatted(system, caseName, number(compared.value().value()), right)
                .stripTrailing();
    }

    private static String words(OfRun run) {
        return run.name().toLowerCase(Locale.ROOT) + " run";
    }

    private static String ratio(ComparedValue compared) {
        return compared.ratio().isPresent() ? "×" + number(compared.ratio().getAsDouble()) : "";
    }

    private static void addClaim(JudgedClaim judged, boolean all, List<String> lines) {
        Judgement judgement = judged.judgement();
        lines.addAll(wrapped(
                judgement.outcome().words().toUpperCase(Locale.ROOT) + ": "
                        + judged.claim().id() + " (" + judged.claim().source() + ")",
                ""));
        lines.addAll(wrapped(judged.claim().text(), "  "));
        lines.addAll(wrapped("→ " + judgement.reason(), "  "));
        if (judged.onStudy() == ClaimVerdict.DOES_NOT_HOLD) {
            String how = Objects.requireNonNullElse(judged.claim().contradicted(), "see its published values");
            lines.addAll(wrapped("the study's own values contradict it: " + how, "  "));
        }
        List<Judgement.Value> deciding = judgement.deciding();
        int shown = all ? deciding.size() : Math.min(deciding.size(), SHOWN_VALUES);
        deciding.stream().limit(shown).forEach(value -> lines.add(row(value)));
        int others = judgement.values().size() - deciding.size();
        boolean decided =
                judgement.outcome() == ClaimVerdict.HOLDS || judgement.outcome() == ClaimVerdict.DOES_NOT_HOLD;
        if (all && others > 0) {
            lines.add(decided ? "    these did not decide it:" : "    the others:");
            judgement.values().stream()
                    .filter(value -> !deciding.contains(value))
                    .forEach(value -> lines.add(row(value)));
        } else if (shown < judgement.values().size()) {
            int more = deciding.size() - shown;
            String rest = Stream.of(
                            more == 0 ? "" : more + " more" + (decided ? " that decided it" : " that left it open"),
                            others == 0 ? "" : others + (decided ? " that did not decide it" : " others"))
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(", "));
            lines.add("    … and " + rest + ": bin/benchmark judge --all");
        }
    }

    private static String row(Judgement.Value value) {
        Estimate estimate = value.estimate();
        String unit = CellSummary.unit(value.metric()).orElse("");
        String measured = estimate == null
                ? "not measured"
                : number(estimate.median()) + " " + unit + " " + interval(estimate) + ", n = " + estimate.n();
        String name = value.metric() + " " + value.system() + ", " + value.caseName();
        int width = Math.min(WIDTH - 7 - measured.length(), 44);
        return ("    %-" + width + "s  %s").formatted(cut(name, width), measured);
    }

    private static String number(double value) {
        return Math.abs(value) < MANY ? Quantities.number(value) : Quantities.number(value / MILLION) + " M";
    }

    private static String interval(Estimate estimate) {
        Double low = estimate.ci95Low();
        Double high = estimate.ci95High();
        if (low != null && high != null) {
            return "[" + number(low) + " … " + number(high) + "]";
        }
        return estimate.n() == 1 ? "(one run)" : "range " + number(estimate.min()) + " … " + number(estimate.max());
    }

    /** Breaks lines between words; the first line starts at the indent, the others two columns further. */
    private static List<String> wrapped(String text, String indent) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(indent);
        boolean empty = true;
        for (String word : text.strip().split("\\s+")) {
            if (!empty && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(indent + "  ");
                empty = true;
            }
            line.append(empty ? "" : " ").append(cut(word, WIDTH - line.length()));
            empty = false;
        }
        lines.add(line.toString());
        return lines;
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "…";
    }
}
