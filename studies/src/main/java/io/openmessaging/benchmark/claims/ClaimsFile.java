package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.claims.Claims.ComparedValue;
import io.openmessaging.benchmark.claims.Claims.JudgedClaim;
import io.openmessaging.benchmark.config.PublishedFile.Value;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.file.JsonText;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.summary.CellSummary;
import io.openmessaging.benchmark.summary.Estimate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the judgements of a study's claims as JSON. */
public final class ClaimsFile {

    static final String NAME = "claims.json";

    private static final int SCHEMA_VERSION = 1;

    private ClaimsFile() {}

    /**
     * Writes the file, or replaces it.
     *
     * @return the file
     * @throws PlanException with a sentence for the user
     */
    public static Path write(Path folder, Claims claims) throws PlanException {
        Path file = folder.resolve(NAME);
        try {
            ResultFiles.replace(file, render(claims));
            return file;
        } catch (IOException e) {
            throw new PlanException(file + ": could not be written: " + ResultFiles.reason(e));
        }
    }

    static String render(Claims claims) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("schemaVersion", SCHEMA_VERSION);
        root.put("study", claims.study());
        root.put("citation", claims.citation());
        root.set("timeScale", JsonText.decimal(claims.timeScale()));
        ArrayNode judged = root.putArray("claims");
        claims.claims().forEach(claim -> add(judged.addObject(), claim));
        ArrayNode values = root.putArray("values");
        claims.values().forEach(value -> add(values.addObject(), value));
        return JsonText.of(root);
    }

    private static void add(ObjectNode node, JudgedClaim judged) {
        node.put("id", judged.claim().id());
        node.put("source", judged.claim().source());
        node.put("text", judged.claim().text());
        node.put("note", judged.claim().note());
        node.put("expression", judged.claim().holds());
        node.put("judgement", judged.judgement().outcome().words());
        node.put("reason", judged.judgement().reason());
        node.put("onStudysValues", judged.onStudy().words());
        node.put("contradicted", judged.claim().contradicted());
        ArrayNode values = node.putArray("values");
        for (Judgement.Value value : judged.judgement().values()) {
            ObjectNode each = values.addObject();
            each.put("metric", value.metric());
            each.put("unit", CellSummary.unit(value.metric()).orElse(null));
            each.put("experiment", value.experiment());
            each.put("system", value.system());
            each.put("case", value.caseName());
            addInterval(each, value.estimate());
        }
    }

    private static void add(ObjectNode node, ComparedValue compared) {
        Value value = compared.value();
        node.put("source", value.source());
        node.put("metric", value.metric());
        node.put("unit", compared.unit());
        node.put("experiment", value.experiment());
        node.put("system", value.system());
        node.put("case", compared.caseName());
        node.put("run", value.run() == null ? null : value.run().name().toLowerCase(Locale.ROOT));
        node.set("published", JsonText.decimal(value.value()));
        node.set("publishedSd", JsonText.decimalOrNull(value.sd()));
        node.put("note", value.note());
        node.put("unmeasured", value.unmeasured());
        Estimate measured = compared.measured();
        addInterval(node, measured);
        node.set("sd", JsonText.decimalOrNull(measured == null ? null : measured.sd()));
        node.put("invalidIncluded", compared.invalidIncluded());
        node.set(
                "ratio",
                compared.ratio().isPresent() ? JsonText.decimal(compared.ratio().getAsDouble()) : null);
    }

    private static void addInterval(ObjectNode node, @Nullable Estimate estimate) {
        node.put("n", estimate == null ? 0 : estimate.n());
        node.set("mean", JsonText.decimalOrNull(estimate == null ? null : estimate.mean()));
        node.set("median", JsonText.decimalOrNull(estimate == null ? null : estimate.median()));
        node.set("ci95Low", JsonText.decimalOrNull(estimate == null ? null : estimate.ci95Low()));
        node.set("ci95High", JsonText.decimalOrNull(estimate == null ? null : estimate.ci95High()));
        node.set("min", JsonText.decimalOrNull(estimate == null ? null : estimate.min()));
        node.set("max", JsonText.decimalOrNull(estimate == null ? null : estimate.max()));
    }
}
