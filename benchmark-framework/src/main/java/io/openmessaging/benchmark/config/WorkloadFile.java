package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.RecordBinder;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.config.payload.PayloadFile;
import io.openmessaging.benchmark.driver.Problems;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workload file that has been checked.
 *
 * @param path path as the user named it
 * @param workload content of the file
 * @param payload the file with the payload or payloads, which has been checked; empty if the workload names none
 * @param settings keys and values as written, for the result
 */
public record WorkloadFile(
        Path path, Workload workload, Optional<PayloadFile> payload, Map<String, @Nullable Object> settings) {

    /**
     * Reads and checks a workload file.
     *
     * @param home the project's home folder; {@code payloadFile} is looked up in the current folder, as in OMB, then
     *     there, then in the folder of the workload file
     */
    public static WorkloadFile read(Path path, Path home) throws ConfigException {
        return read(path, home, Mapping.empty(), TimeScale.FULL);
    }

    /**
     * Reads a workload file, overrides its keys, shortens the result and checks it.
     *
     * @param upper the keys that override those of the file
     * @throws ConfigException with all errors in the file or in the keys that override it
     */
    public static WorkloadFile read(Path path, Path home, Mapping upper, TimeScale scale) throws ConfigException {
        YamlFile read = YamlFile.read(path);
        YamlFile file = new YamlFile(path, scale.of(WorkloadKeys.over(ForkKeys.translated(read.root()), upper)));
        Problems problems = new Problems();
        Mapping named = withName(file);
        Workload workload = RecordBinder.bindLeniently(named, Workload.class, problems);
        Optional<PayloadFile> payload = Optional.empty();
        if (workload != null && workload.payloadFile() != null && !workload.useRandomizedPayloads()) {
            payload = PayloadFile.find(
                    new PayloadFile.SearchPath(workload.payloadFile(), path, home),
                    WorkloadRules.records(workload).orElse(null),
                    workload.messageSize(),
                    problems);
        }
        if (payload.isPresent() && payload.get().rules() != null) {
            // Bind again: the sizes, to which other rules apply, are known now.
            problems = new Problems();
            List<SizeShare> sizes = payload.get().counts().entrySet().stream()
                    .map(count -> new SizeShare(count.getKey(), count.getValue()))
                    .toList();
            workload = RecordBinder.bindLeniently(
                    named, Workload.class, Map.of("messageSizeDistribution", sizes), problems);
        }
        ConfigException.throwIfAny(path, problems);
        return new WorkloadFile(
                path,
                Objects.requireNonNull(workload, "refused without a reason"),
                payload,
                file.root().toObject());
    }

    /**
     * Creates a workload of the harness' own, which is in no file and whose values may be outside the ranges for
     * files.
     *
     * @param name name of the workload
     * @param keys keys as in a file
     * @throws IllegalArgumentException if a key is unknown or a value cannot be read
     */
    public static WorkloadFile of(String name, Map<String, String> keys) {
        Path path = Path.of(name);
        try {
            Mapping root = Mapping.of(keys).with(Mapping.of(Map.of("name", name)));
            Workload workload = RecordBinder.bindUnchecked(path, root, Workload.class);
            return new WorkloadFile(path, workload, Optional.empty(), root.toObject());
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Returns the file's name without its extension, which OMB puts first in the name of a result file. */
    public String baseName() {
        return baseName(path);
    }

    private static String baseName(Path path) {
        String fileName = String.valueOf(path.getFileName());
        int dot = fileName.lastIndexOf('.');
        return dot > 0 ? fileName.substring(0, dot) : fileName;
    }

    private static Mapping withName(YamlFile file) {
        YamlNode name = file.root().entries().get("name");
        return name == null || name instanceof YamlNode.Empty
                ? file.root().with(Mapping.of(Map.of("name", baseName(file.path()))))
                : file.root();
    }
}
