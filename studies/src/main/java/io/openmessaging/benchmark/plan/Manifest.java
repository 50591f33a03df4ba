package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.JsonText;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.result.file.ResultJson;
import io.openmessaging.benchmark.run.RunPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * The state of a plan: contents of its folder, and which runs remain.
 *
 * @param plan its name
 * @param file the plan file, absolute
 * @param begin time when the folder was created, ISO 8601 in UTC
 * @param timeScale factor of durations and counts
 * @param only patterns of the selected runs; empty for all
 * @param repetitions given on the command line instead of the plan's; null if not given
 * @param cooldown likewise, such as {@code 1m}
 * @param seed determines the order of the runs; null for the written order
 * @param digests of the files that make up the plan
 * @param runs in the order of the plan, whatever the order of execution
 */
public record Manifest(
        String plan,
        String file,
        String begin,
        double timeScale,
        List<String> only,
        @Nullable Integer repetitions,
        @Nullable String cooldown,
        @Nullable Long seed,
        Map<String, String> digests,
        List<Entry> runs) {

    /** The name of the file. */
    public static final String NAME = "manifest.json";

    /** The study's published claims and values, beside its plan. */
    static final String PUBLISHED = "published.yaml";

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private static final int SCHEMA_VERSION = 1;

    /** State of a run. */
    public enum Status {
        /** The run completed with verdict OK, INVALID or SLO_MISSED. */
        DONE,
        /** An error ended the run, or it could not start. */
        FAILED,
        /** The run is not selected, or its system cannot run here. */
        SKIPPED,
        /** The run remains to be done. */
        PENDING
    }

    /**
     * A run.
     *
     * @param number its position in the plan, from 1
     * @param cell repeated cell
     * @param repetition number of the repetition, from 1
     * @param status current state
     * @param reason why it failed, was skipped or has to be repeated; else null
     * @param file its result, relative to the folder; null if it has none
     * @param verdict of its result; null if it has none
     * @param failures how often it failed
     */
    public record Entry(
            int number,
            Cell cell,
            int repetition,
            Status status,
            @Nullable String reason,
            @Nullable String file,
            @Nullable Verdict verdict,
            int failures) {

        /** Phases of a result in which a load is on. */
        private static final Set<String> LOADED =
                Set.of(RunPhase.WARM_UP.label(), RunPhase.SEARCH.label(), RunPhase.MEASURE.label());

        /** A run that fails this often is not repeated any more. */
        private static final int LAST_FAILURE = 2;

        /** Returns whether it failed, but not so often that it is left as it is. */
        boolean hasFailedOnce() {
            return status == Status.FAILED && failures < LAST_FAILURE;
        }

        /**
         * Returns whether an error ended the run under load. Other failures say nothing of the system: its broker may
         * not have started, for example.
         *
         * @param result content of its result
         */
        public boolean hasFailedUnderLoad(JsonNode result) {
            return status == Status.FAILED
                    && result.path("phases")
                            .valueStream()
                            .anyMatch(
                                    phase -> LOADED.contains(phase.path("name").asString("")));
        }

        /** Returns the same run with a new state. */
        Entry with(
                Status newStatus, @Nullable String newReason, @Nullable String newFile, @Nullable Verdict newVerdict) {
            int times = newStatus == Status.FAILED ? failures + 1 : failures;
            return new Entry(number, cell, repetition, newStatus, newReason, newFile, newVerdict, times);
        }
    }

    public Manifest {
        only = List.copyOf(only);
        digests = Map.copyOf(digests);
        runs = List.copyOf(runs);
    }

    /** Returns all cells of the plan, selected or not, in its order. */
    public Cells cells() {
        return new Cells(runs.stream().map(Entry::cell).toList());
    }

    /** Returns how many runs have this status. */
    public long count(Status status) {
        return runs.stream().filter(run -> run.status() == status).count();
    }

    /**
     * Returns the file of the study's published claims: beside the plan; if that has moved, beside the same plan among
     * the workloads of the installation, else in the folder there that has the name of the plan's folder.
     *
     * @param home the installation
     */
    public Path published(Path home) throws PlanException {
        Path planFile = Path.of(file);
        Path recorded = planFile.resolveSibling(PUBLISHED);
        Path workloads = home.resolve("workloads");
        if (Files.exists(recorded) || !Files.isDirectory(workloads)) {
            return recorded;
        }
        String digest = digests.get(String.valueOf(planFile.getFileName()));
        Path folder = planFile.getParent();
        Path named = workloads.resolve(folder == null ? "" : String.valueOf(folder.getFileName()));
        try (Stream<Path> found = Files.find(workloads, 2, (path, attributes) -> attributes.isRegularFile())) {
            for (Path each : found.sorted().toList()) {
                if (PlanReader.digest(each).equals(digest)) {
                    named = each.resolveSibling("");
                }
            }
        } catch (IOException e) {
            throw new PlanException(workloads + ": cannot be read: " + ResultFiles.reason(e));
        }
        Path elsewhere = named.resolve(PUBLISHED);
        return Files.exists(elsewhere) ? elsewhere : recorded;
    }

    Manifest with(Entry changed) {
        List<Entry> entries = runs.stream()
                .map(run -> run.number() == changed.number() ? changed : run)
                .toList();
        return new Manifest(plan, file, begin, timeScale, only, repetitions, cooldown, seed, digests, entries);
    }

    /** Returns the text of the file. */
    String render(Environment environment) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("schemaVersion", SCHEMA_VERSION);
        root.put("plan", plan);
        root.put("file", file);
        root.put("begin", begin);
        root.set("timeScale", JsonText.decimal(timeScale));
        only.forEach(root.putArray("only")::add);
        root.put("repetitions", repetitions);
        root.put("cooldown", cooldown);
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
        node.put("failures", run.failures());
        node.put("file", run.file());
        node.put("verdict", run.verdict() == null ? null : run.verdict().name());
        node.set("parameters", MAPPER.valueToTree(run.cell().parameters()));
    }

    /**
     * Reads the manifest of a folder.
     *
     * @throws PlanException with a sentence for the user if there is no readable manifest
     */
    public static Manifest read(Path folder) throws PlanException {
        Path file = folder.resolve(NAME);
        try {
            return parse(MAPPER.readTree(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new PlanException(folder + ": is not a results folder of a plan, " + NAME + " cannot be read");
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
                root.path("cooldown").stringValue(null),
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
                verdict(run),
                run.path("failures").asInt(run.path("status").asString("").equals("failed") ? 1 : 0));
    }

    /** Returns the verdict of a run, from its entry in the manifest or from its result; null if it has none. */
    static @Nullable Verdict verdict(JsonNode run) {
        return Stream.of(Verdict.values())
                .filter(verdict -> verdict.name().equals(run.path("verdict").stringValue(null)))
                .findFirst()
                .orElse(null);
    }

    private static String text(JsonNode node, String field) {
        return node.path(field)
                .stringValueOpt()
                .orElseThrow(() -> new IllegalArgumentException(field + " must be a string"));
    }
}
