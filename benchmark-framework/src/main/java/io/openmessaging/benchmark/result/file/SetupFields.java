package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.config.Percentage;
import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.limits.Enforcement;
import io.openmessaging.benchmark.limits.Mechanism;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of the result file for the setup: broker, driver, workload, environment. Secrets are removed, see
 * {@link Secrets}.
 */
final class SetupFields {

    /** Writes durations and rates in the notation of the input files. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(ProducerRate.class, JsonText.as(ProducerRate::toString))
                    .addSerializer(Percentage.class, JsonText.as(Percentage::toString))
                    .addSerializer(Duration.class, JsonText.as(DurationText::format)))
            .build();

    private SetupFields() {}

    static void add(Fields root, RunResult result) {
        RunResult.Driver driver = result.driver();
        root.add("broker", result.broker(), SetupFields::broker)
                .add("driverClass", driver.driverClass())
                .add("clientVersion", driver.clientVersion())
                .add("driverConfig", masked(driver.settings()))
                .add("workloadFile", result.workload().path().toString())
                .add("workloadConfig", masked(result.workload().settings()))
                .add("workloadEffective", effective(result.workload().workload()))
                .add("limits", limits(result.limits()))
                .add("environment", environment(result));
    }

    /** Leaves out the sizes of records, which are not a key of the workload and may be as many as there are records. */
    private static JsonNode effective(Workload workload) {
        ObjectNode keys = MAPPER.valueToTree(workload);
        if (workload.payloadRecords() != null) {
            keys.putNull("messageSizeDistribution");
        }
        return keys;
    }

    /** The environment of the run, with what distinguishes runs that have other workers. */
    private static ObjectNode environment(RunResult result) {
        ObjectNode node = environment(result.environment());
        if (!result.workers().isEmpty()) {
            List<String> workers = result.workers().stream()
                    .map(worker -> "%s: %s, %d MiB, %s, %s;"
                            .formatted(
                                    worker.machine().host().name(),
                                    Quantities.counted(worker.machine().processors(), "processor"),
                                    worker.machine().host().memoryMiB(),
                                    Quantities.counted(worker.producers(), "producer"),
                                    Quantities.counted(worker.consumers(), "consumer")))
                    .toList();
            node.set("workers", JsonText.MAPPER.valueToTree(workers));
        }
        return node;
    }

    /** Returns settings as in their file, without secrets. */
    static JsonNode masked(Map<String, ? extends @Nullable Object> settings) {
        return MAPPER.valueToTree(Secrets.mask(settings));
    }

    /** Sorts the maps, whose order is not the same in every process. */
    private static Fields broker(RunResult.Broker broker) {
        BrokerDescription description = broker.description();
        Fields fields = new Fields()
                .add("product", description.product())
                .add("version", description.version())
                .add("nodes", description.nodes())
                .add("settings", masked(new TreeMap<>(description.settings())))
                .add("guarantee", guarantee(description.guarantee()))
                .add("managed", broker.managed())
                .add("localBroker", broker.managed() ? masked(new TreeMap<>(broker.settings())) : null);
        return broker.placement().isEmpty() ? fields : fields.add("placement", broker.placement());
    }

    private static @Nullable Fields guarantee(@Nullable Guarantee guarantee) {
        return guarantee == null
                ? null
                : new Fields()
                        .add("copies", guarantee.copies())
                        .add("acknowledgedCopies", guarantee.acknowledgedCopies())
                        .add("storage", guarantee.storage())
                        .add("consumption", guarantee.consumption())
                        .add("order", guarantee.order())
                        .add("survivesKill", guarantee.survivesKill())
                        .add("survivesPowerCut", guarantee.survivesPowerCut())
                        .add("inWords", guarantee.inWords());
    }

    private static @Nullable Fields limits(ResourceLimits limits) {
        return limits.isNone()
                ? null
                : new Fields()
                        .add("broker", limit("each process", limits.broker()))
                        .add("clients", limit("all together", limits.clients()))
                        .add("eachClient", limit("each producer and each consumer", limits.eachClient()));
    }

    private static @Nullable Fields limit(String of, Enforcement enforcement) {
        return enforcement.asked().isNone()
                ? null
                : new Fields()
                        .add("of", of)
                        .add("cpus", enforcement.asked().cpus())
                        .add("memoryBytes", enforcement.asked().memoryBytes())
                        .add("cpusBy", enforcement.cpus(), Mechanism::label)
                        .add("memoryBy", enforcement.memory(), Mechanism::label)
                        .add("notEnforced", enforcement.notEnforced());
    }

    static ObjectNode environment(Environment environment) {
        ObjectNode node = JsonText.tree(environment);
        return node.set(
                "jvmOptions",
                JsonText.MAPPER.valueToTree(
                        environment.jvmOptions().stream().map(Secrets::mask).toList()));
    }
}
