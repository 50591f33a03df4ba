package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.CollectorWork;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a run cost, in the result file: an entry for each process, target and host, with the mean and the highest value of
 * each figure over the measurement and, period by period, in lists as long as those of the rates. A period in which a
 * figure could not be read is {@code null} there. For a JVM, {@code collectors} says what each of its garbage collectors did
 * during the measurement.
 */
final class ResourceFields {

    static final String RESOURCES = "resources";
    static final String MESSAGES_PER_BROKER_CPU_SECOND = "messagesPerBrokerCpuSecond";

    private ResourceFields() {}

    static void add(ObjectNode root, RunResult result) {
        List<ResourceUse> totals = result.resourceTotal().uses();
        ObjectNode resources = root.putObject(RESOURCES);
        OptionalDouble efficiency = messagesPerBrokerCpuSecond(result);
        if (efficiency.isPresent()) {
            resources.set(MESSAGES_PER_BROKER_CPU_SECOND, JsonText.decimal(efficiency.getAsDouble()));
        } else {
            resources.putNull(MESSAGES_PER_BROKER_CPU_SECOND);
        }
        ArrayNode entries = resources.putArray("entries");
        for (int i = 0; i < totals.size(); i++) {
            int index = i;
            ResourceUse total = totals.get(i);
            ObjectNode entry = entries.addObject();
            entry.put("name", total.name());
            entry.put("role", total.role().name().toLowerCase(Locale.ROOT));
            ObjectNode figures = entry.putObject("figures");
            total.figures().forEach((figure, use) -> add(figures, figure, use, index, result.resources()));
            addCollectors(entry, total.collectors());
        }
    }

    private static void add(
            ObjectNode figures, Figure figure, FigureUse total, int index, List<ResourcePeriod> periods) {
        ObjectNode node = figures.putObject(figure.label());
        node.set("mean", JsonText.decimal(total.mean()));
        node.set("max", JsonText.decimal(total.max()));
        ArrayNode means = node.putArray("periodMean");
        ArrayNode maxima = node.putArray("periodMax");
        for (ResourcePeriod period : periods) {
            FigureUse use = period.uses().get(index).figures().get(figure);
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
            collectors.forEach((name, work) -> {
                ObjectNode collector = node.putObject(name);
                collector.put("collections", work.collections());
                collector.set("milliseconds", JsonText.decimal(work.milliseconds()));
            });
        }
    }

    /** Messages published for each second of processor time of all nodes of the broker; empty if that is not known. */
    static OptionalDouble messagesPerBrokerCpuSecond(RunResult result) {
        @Nullable PeriodSnapshot measured = result.total();
        double cores = sum(result, Role.BROKER, Figure.CPU_CORE_PERCENT).orElse(0) / 100;
        return measured == null || cores <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(measured.publishRate() / cores);
    }

    /** The mean of a figure, all of that role together; empty where none of them has it. */
    static OptionalDouble sum(RunResult result, Role role, Figure figure) {
        return sum(result.resourceTotal(), role, figure);
    }

    /** The same of a stretch of the measurement. */
    static OptionalDouble sum(ResourcePeriod used, Role role, Figure figure) {
        double[] means = used.uses().stream()
                .filter(use -> use.role() == role)
                .flatMap(use -> use.figure(figure).stream())
                .mapToDouble(FigureUse::mean)
                .toArray();
        double sum = 0;
        for (double mean : means) {
            sum += mean;
        }
        return means.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum);
    }
}
