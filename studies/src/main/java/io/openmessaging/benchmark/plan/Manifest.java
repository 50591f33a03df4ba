package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.JsonText;
import io.openmessaging.benchmark.result.file.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a plan's folder has, and what is still to be done: the state of a plan.
 *
 * @param plan its name
 * @param file the plan file, absolute
 * @param begin when the folder was begun, ISO 8601 in UTC
 * @param timeScale what durations and counts are multiplied with
 * @param only patterns of the runs that are wanted; empty for all
 * @param repetitions that the command line asked for instead of the plan's
 * @param seed what decides the order of the runs; null if they are run as they are written
 * @param digests of the files that the plan is made of
 * @param runs in the order in which the plan has them, whatever the order in which they are run
 */
public record Manifest(
        String plan,
        String file,
        String begin,
        double timeScale,
        List<String> only,
        @Nullable Integer repetitions,
        @Nullable Long seed,
        Map<String, String> digests,
        List<Entry> runs) {

    /** The name of the file. */
    public static final String NAME = "manifest.json";

    /** What a study has published, beside its plan. */
    static final String PUBLISHED = "published.yaml";

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private static final int SCHEMA_VERSION = 1;

    /** What has become of a run. */
    public enum Status {
        /** It came to its end, with verdict OK, INVALID or SLO_MISSED. */
        DONE,
        /** An error ended it, or it could not begin. */
        FAILED,
        /** It is not wanted, or its system cannot run here. */
        SKIPPED,
        /** It is still to be done. */
        PENDING
    }

    /**
     * A run.
     *
     * @param number its place in the plan, from 1
     * @param cell what it is a repetition of
     * @param repetition which, from 1
     * @param status what has become of it
     * @param reason why it failed, was skipped or is to be repeated; else null
     * @param file its result, relative to the folder; null if it has none
     * @param verdict of its result; null if it has none
     */
    public record Entry(
            int number,
            Cell cell,
            int repetition,
            Status status,
            @Nullable String reason,
            @Nullable String file,
            @Nullable Verdict verdict) {

        /** The same run with what has become of it. */
        Entry with(
                Status newStatus, @Nullable String newReason, @Nullable String newFile, @Nullable Verdict newVerdict) {
            return new Entry(number, cell, repetition, newStatus, newReason, newFile, newVerdict);
        }
    }

    public Manifest {
        only = List.copyOf(only);
        digests = Map.copyOf(digests);
        runs = List.copyOf(runs);
    }

    /** All cells of the plan, wanted or not, in its order. */
    public Cells cells() {
        return new Cells(runs.stream().map(Entry::cell).toList());
    }

    /** How many runs have a status. */
    public long count(Status status) {
        return runs.stream().filter(run -> run.status() == status).count();
    }

    /** Where what the study has published is, unless it was moved. */
    public Path published() {
        return Path.of(file).resolveSibling(PUBLISHED);
    }

    Manifest with(Entry changed) {
        List<Entry> entries = runs.stream()
                .map(run -> run.number() == changed.number() ? changed : run)
                .toList();
        return new Manifest(plan, file, begin, timeScale, only, repetitions, seed, digests, entries);
    }

    /** The text of the file. */
    String render(Environment environment) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("schemaVersion", SCHEMA_VERSION);
        root.put("plan", plan);
        root.put("file", file);
        root.put("begin", begin);
        root.set("timeScale", JsonText.decimal(timeScale));
        only.forEach(root.putArray("only")::add);
        root.put("repetitions", repetitions);
        root.put("seed", seed);
        ArrayNode entries = root.putArray("runs");
        runs.forEach(run -> add(entries.addObject(), run));
        ResultJson.addEnvironment(root, environment);
        root.set("digests", MAPPER.valueToTree(new TreeMap<>(digests)));
        return JsonText.of(root);
    }

    private static void add(ObjectNode node, Entry run) {
        node.put("number", run.number());
        node.put("experiment", run.cell().experiment());
        node.put("system", run.cell().system());
        node.put("case", run.cell().caseName());
        node.put("repetition", run.repetition());
        node.put("status", run.status().name().toLowerCase(Locale.ROOT));
        node.put("reason", run.reason());
        node.put("file", run.file());
        node.put("verdict", run.verdict() == null ? null : run.verdict().name());
        node.set("parameters", MAPPER.valueToTree(run.cell().parameters()));
    }

    /**
     * Reads the manifest of a folder.
     *
     * @throws PlanException with a sentence for the user if there is none that can be read
     */
    public static Manifest read(Path folder) throws PlanException {
        Path file = folder.resolve(NAME);
        try {
            return parse(MAPPER.readTree(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new PlanException(folder + ": is not a folder of a plan's results, " + NAME + " cannot be read");
        } catch (JacksonException | IllegalArgumentException e) {
            throw new PlanException(file + ": is not a manifest of a plan: "
                    + Objects.requireNonNullElse(e.getMessage(), e.toString())
                            .lines()
                            .findFirst()
                            .orElse(""));
        }
    }

    private static Manifest parse(JsonNode root) {
        if (root.path("schemaVersion").asInt(0) != SCHEMA_VERSION) {
            throw new IllegalArgumentException("schemaVersion must be " + SCHEMA_VERSION);
        }
        Map<String, String> digests = new LinkedHashMap<>();
        root.path("digests").forEachEntry((file, digest) -> digests.put(file, digest.asString()));
        return new Manifest(
                text(root, "plan"),
                text(root, "file"),
                text(root, "begin"),
                root.path("timeScale").asDouble(1),
                root.path("only").valueStream().map(JsonNode::asString).toList(),
                root.path("repetitions").isNumber() ? root.path("repetitions").asInt() : null,
                root.path("seed").isNumber() ? root.path("seed").asLong() : null,
                digests,
                root.path("runs").valueStream().map(Manifest::entry).toList());
    }

    private static Entry entry(JsonNode run) {
        Map<String, @Nullable Object> parameters =
                MAPPER.convertValue(run.path("parameters"), new TypeReference<Map<String, @Nullable Object>>() {});
        return new Entry(
                run.path("number").asInt(),
                new Cell(
                        text(run, "experiment"),
                        text(run, "system"),
                        text(run, "case"),
                        Objects.requireNonNullElse(parameters, Map.of())),
                run.path("repetition").asInt(),
                Status.valueOf(text(run, "status").toUpperCase(Locale.ROOT)),
                run.path("reason").stringValue(null),
                run.path("file").stringValue(null),
                verdict(run));
    }

    /** The verdict of a run, in the manifest or in its result. */
    static @Nullable Verdict verdict(JsonNode run) {
        return Stream.of(Verdict.values())
                .filter(verdict -> verdict.name().equals(run.path("verdict").stringValue(null)))
                .findFirst()
                .orElse(null);
    }

    private static String text(JsonNode node, String field) {
        return node.path(field)
                .stringValueOpt()
                .orElseThrow(() -> new IllegalArgumentException(field + " must be a text"));
    }
}
