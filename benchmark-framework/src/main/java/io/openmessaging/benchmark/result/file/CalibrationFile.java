package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The file that holds a {@link Calibration}. Unlike a result, it is overwritten: it describes the current state of a
 * machine.
 */
public final class CalibrationFile {

    /** The file's name in the folder of the results. */
    public static final String NAME = "calibration.json";

    private static final String KIND = "kind";
    private static final String CALIBRATION = "calibration";
    private static final String VERSION = "schemaVersion";

    /** Raised when a field changes its meaning or is removed. */
    private static final int SCHEMA_VERSION = 1;

    private CalibrationFile() {}

    /**
     * Checks, before anything is measured, whether the file can be written; creates its folder if necessary.
     *
     * @throws ResultFileException if the file cannot be written, with a sentence for the user
     */
    public static void check(Path file) throws ResultFileException {
        if (Files.isDirectory(file)) {
            throw new ResultFileException(file + ": is a folder, must be the name of a file", null);
        }
        if (Files.exists(file) && !isCalibration(file)) {
            throw new ResultFileException(
                    file + ": exists, is not a calibration, and would be overwritten; name another file, or remove it",
                    null);
        }
        try {
            ResultFiles.tryOut(folderOf(file));
        } catch (IOException e) {
            throw new ResultFileException(file + ": cannot write the calibration: " + ResultFiles.reason(e), e);
        }
    }

    private static Path folderOf(Path file) {
        Path folder = file.getParent();
        return folder == null ? Path.of(".") : folder;
    }

    private static boolean isCalibration(Path file) {
        try {
            return isCalibration(JsonText.MAPPER.readTree(Files.readAllBytes(file)));
        } catch (IOException | JacksonException e) {
            return false;
        }
    }

    /** Returns whether the content of a file is a calibration. */
    public static boolean isCalibration(JsonNode json) {
        return json.path(KIND).asString("").equals(CALIBRATION);
    }

    /**
     * Writes the file, replacing any existing one as a whole.
     *
     * @throws ResultFileException if the file cannot be written, with a sentence for the user
     */
    public static void write(Path file, Calibration calibration) throws ResultFileException {
        try {
            ResultFiles.create(folderOf(file));
            ResultFiles.replace(file, render(calibration));
        } catch (IOException e) {
            throw new ResultFileException(file + ": the calibration could not be written: " + ResultFiles.reason(e), e);
        }
    }

    static String render(Calibration calibration) {
        ObjectNode root =
                JsonText.MAPPER.createObjectNode().put(KIND, CALIBRATION).put(VERSION, SCHEMA_VERSION);
        root.setAll(JsonText.tree(calibration));
        ResultJson.addEnvironment(root, calibration.environment());
        return JsonText.of(root);
    }

    /**
     * Reads the calibration that applies to a process in this environment.
     *
     * @param ignored receives a sentence for the user that says why an existing file is not used
     * @return the calibration; empty if there is no such file, or none that can be used
     */
    public static Optional<Calibration> readFor(Environment here, Path file, Consumer<String> ignored) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String reason;
        try {
            Calibration calibration = parse(Files.readString(file));
            Optional<String> mismatch = calibration.mismatch(here);
            if (mismatch.isEmpty()) {
                return Optional.of(calibration);
            }
            reason = mismatch.get() + "; bin/benchmark calibrate makes a new one";
        } catch (IOException e) {
            reason = "it cannot be read: " + ResultFiles.reason(e);
        } catch (JacksonException | IllegalArgumentException e) {
            reason = "this version cannot read its format";
        }
        ignored.accept(file + " is ignored: " + reason);
        return Optional.empty();
    }

    /**
     * Reads the output of {@link #render}.
     *
     * @throws JacksonException if the text is not JSON, or has other fields
     * @throws IllegalArgumentException if the JSON is not a usable calibration of this version
     */
    static Calibration parse(String text) {
        JsonNode json = JsonText.MAPPER.readTree(text);
        boolean known = isCalibration(json) && json.path(VERSION).asInt(0) == SCHEMA_VERSION;
        if (!known || !(json instanceof ObjectNode root)) {
            throw new IllegalArgumentException("not a calibration of version " + SCHEMA_VERSION);
        }
        root.remove(KIND);
        root.remove(VERSION);
        Calibration calibration = JsonText.MAPPER.treeToValue(root, Calibration.class);
        if (!(calibration.ceilingMsgPerSec() > 0) || calibration.unlimited().isEmpty()) {
            throw new IllegalArgumentException("a calibration without a ceiling");
        }
        return calibration;
    }
}
