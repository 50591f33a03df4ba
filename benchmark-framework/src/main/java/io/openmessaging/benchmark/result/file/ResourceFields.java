package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.measure.CollectorWork;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a run cost, in the result file: an entry for each process, target and host, with the mean and the highest value of
 * each figure over the measurement and, period by period, in lists as long as those of the rates. A period in which a
 * figure could not be read is {@code null} there. For a JVM, {@code collectors} says what each of its garbage collectors did
 * during the measurement.
 */
final class ResourceFields {

    static final String MESSAGES_PER_BROKER_CPU_SECOND = "messagesPerBrokerCpuSecond";

    private ResourceFields() {}

    static void add(ObjectNode root, RunResult result) {
        List<ResourceUse> totals = result.resourceTotal().uses();
        ObjectNode resources = root.putObject("resources");
        OptionalDouble efficiency = result.messagesPerBrokerCpuSecond();
        resources.set(
                "messagesPerBrokerCpuSecond",
                efficiency.isPresent() ? JsonText.decimal(efficiency.getAsDouble()) : null);
        ArrayNode entries = resources.putArray("entries");
        for (int i = 0; i < totals.size(); i++) {
            int index = i;
            ResourceUse total = totals.get(i);
            ObjectNode entry = entries.addObject();
            entry.put("name", total.name());
            entry.put("role", total.role().name().toLowerCase(Locale.ROOT));
            ObjectNode figures = entry.putObject("figures");
            total.figures().forEach((figure, use) -> add(figures, figure, use, index, result.periods()));
            addCollectors(entry, total.collectors());
        }
    }

    private static void add(ObjectNode figures, Figure figure, FigureUse total, int index, List<RunPeriod> periods) {
        ObjectNode node = figures.putObject(figure.label());
        node.set("mean", JsonText.decimal(total.mean()));
        node.set("max", JsonText.decimal(total.max()));
        ArrayNode means = node.putArray("periodMean");
        ArrayNode maxima = node.putArray("periodMax");
        for (RunPeriod period : periods) {
            FigureUse use = period.used().uses().get(index).figures().get(figure);
            if (use == null) {
                means.addNull();
                maxima.addNull();
            } else {
                means.add(JsonText.decimal(use.mean()));
                maxima.add(JsonText.decimal(use.max()));
            }
        }
    }

    /** Only of a JVM. */
    private static void addCollectors(ObjectNode entry, Map<String, CollectorWork> collectors) {
        if (!collectors.isEmpty()) {
            ObjectNode node = entry.putObject("collectors");
            collectors.forEach((name, work) -> node.set(name, JsonText.tree(work)));
        }
    }
}
