package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a run used, in the result file: an entry for each process, target and host, with the mean and the
 * highest value of each figure over the measurement and, period by period, in lists as long as those of the rates. A
 * period in which a figure could not be read is {@code null} there. For a JVM, {@code collectors} describes the work
 * of each garbage collector during the measurement.
 */
final class ResourceFields {

    private ResourceFields() {}

    static void add(Fields root, RunResult result) {
        List<ResourceUse> totals = result.resourceTotal().uses();
        List<Fields> entries = new ArrayList<>();
        for (int i = 0; i < totals.size(); i++) {
            int index = i;
            List<ResourceUse> periods = result.periods().stream()
                    .map(period -> period.used().uses().get(index))
                    .toList();
            entries.add(entry(totals.get(i), periods));
        }
        root.add(
                "resources",
                new Fields()
                        .add("messagesPerBrokerCpuSecond", result.messagesPerBrokerCpuSecond())
                        .add("entries", entries));
    }

    private static Fields entry(ResourceUse total, List<ResourceUse> periods) {
        Fields figures = new Fields();
        total.figures().forEach((figure, use) -> {
            List<@Nullable FigureUse> uses =
                    periods.stream().map(period -> period.figures().get(figure)).toList();
            figures.add(
                    figure.label(),
                    new Fields()
                            .add("mean", use.mean())
                            .add("max", use.max())
                            .addEach("periodMean", uses, each -> each == null ? null : each.mean())
                            .addEach("periodMax", uses, each -> each == null ? null : each.max()));
        });
        Fields entry = new Fields()
                .add("name", total.name())
                .add("role", total.role().name().toLowerCase(Locale.ROOT))
                .add("figures", figures);
        // Only JVMs have collectors.
        return total.collectors().isEmpty() ? entry : entry.add("collectors", total.collectors());
    }
}
