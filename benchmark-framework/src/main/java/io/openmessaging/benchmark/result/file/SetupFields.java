package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.config.Percentage;
import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.limits.Enforcement;
import io.openmessaging.benchmark.limits.Mechanism;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunResult;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * The part of the result file that says what was run on what: broker, driver, workload, environment. Secrets are taken
 * out, see {@link Secrets}.
 */
final class SetupFields {

    /** Durations and rates in the notation of the files. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(ProducerRate.class, ToStringSerializer.instance)
                    .addSerializer(Percentage.class, ToStringSerializer.instance)
                    .addSerializer(Duration.class, new DurationSerializer()))
            .build();

    private static final class DurationSerializer extends ValueSerializer<Duration> {
        @Override
        public void serialize(Duration duration, JsonGenerator json, SerializationContext context) {
            json.writeString(DurationText.format(duration));
        }
    }

    private SetupFields() {}

    static void add(ObjectNode root, RunResult result) {
        addBroker(root, result);
        addConfiguration(root, result);
        addLimits(root, result.limits());
        addEnvironment(root, result.environment());
    }

    private static void addBroker(ObjectNode root, RunResult result) {
        RunResult.Broker broker = result.broker();
        if (broker == null) {
            root.putNull("broker");
            return;
        }
        ObjectNode node = root.putObject("broker");
        node.put("product", broker.description().product());
        node.put("version", broker.description().version());
        ArrayNode nodes = node.putArray("nodes");
        broker.description().nodes().forEach(nodes::add);
        node.set("settings", sorted(broker.description().settings()));
        node.put("managed", broker.managed());
        node.set("localBroker", broker.managed() ? sorted(broker.settings()) : null);
    }

    /** The order of these maps is not the same in every process. */
    private static JsonNode sorted(Map<String, String> settings) {
        return MAPPER.valueToTree(Secrets.mask(new TreeMap<>(settings)));
    }

    private static void addConfiguration(ObjectNode root, RunResult result) {
        RunResult.Driver driver = result.driver();
        root.put("driverClass", driver.driverClass());
        root.put("clientVersion", driver.clientVersion());
        root.set("driverConfig", MAPPER.valueToTree(Secrets.mask(driver.settings())));
        root.put("workloadFile", result.workload().path().toString());
        root.set(
                "workloadConfig",
                MAPPER.valueToTree(Secrets.mask(result.workload().settings())));
        root.set("workloadEffective", MAPPER.valueToTree(result.workload().workload()));
    }

    private static void addLimits(ObjectNode root, ResourceLimits limits) {
        if (limits.isNone()) {
            root.putNull("limits");
            return;
        }
        ObjectNode node = root.putObject("limits");
        addLimit(node, "broker", "each process", limits.broker());
        addLimit(node, "clients", "all together", limits.clients());
    }

    private static void addLimit(ObjectNode root, String name, String of, Enforcement enforcement) {
        if (enforcement.asked().isNone()) {
            root.putNull(name);
            return;
        }
        ObjectNode node = root.putObject(name).put("of", of);
        node.put("cpus", enforcement.asked().cpus());
        node.put("memoryBytes", enforcement.asked().memoryBytes());
        node.put("cpusBy", label(enforcement.cpus()));
        node.put("memoryBy", label(enforcement.memory()));
        ArrayNode notEnforced = node.putArray("notEnforced");
        enforcement.notEnforced().forEach(notEnforced::add);
    }

    private static @Nullable String label(@Nullable Mechanism mechanism) {
        return mechanism == null ? null : mechanism.label();
    }

    static void addEnvironment(ObjectNode root, Environment environment) {
        ObjectNode node = JsonText.tree(environment);
        ArrayNode options = node.putArray("jvmOptions");
        environment.jvmOptions().forEach(option -> options.add(Secrets.mask(option)));
        root.set("environment", node);
    }
}
