package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.RecordBinder;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.driver.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A workload file, checked.
 *
 * @param path as the user named it
 * @param workload its content
 * @param payload the file with the payload, which exists and is {@code messageSize} bytes long; empty if the workload
 *     names none
 * @param settings its keys and values as they are written, for the result
 */
public record WorkloadFile(
        Path path, Workload workload, Optional<Path> payload, Map<String, @Nullable Object> settings) {

    /**
     * Reads and checks a workload file.
     *
     * @param home the project's home folder; {@code payloadFile} is looked for in the current folder, as OMB does, then
     *     there, then in the folder of the workload file
     */
    public static WorkloadFile read(Path path, Path home) throws ConfigException {
        return read(path, home, Mapping.empty(), TimeScale.FULL);
    }

    /**
     * Reads a workload file, puts keys over its own, shortens it, and checks the outcome.
     *
     * @param upper the keys to put over those of the file
     * @throws ConfigException with everything that is wrong, in the file or in the keys above it
     */
    public static WorkloadFile read(Path path, Path home, Mapping upper, TimeScale scale) throws ConfigException {
        YamlFile read = YamlFile.read(path);
        YamlFile file = new YamlFile(path, scale.of(WorkloadKeys.over(ForkKeys.translated(read.root()), upper)));
        Problems problems = new Problems();
        Workload workload = RecordBinder.bindLeniently(withName(file), Workload.class, problems);
        Optional<Path> payload = Optional.empty();
        if (workload != null && workload.payloadFile() != null && !workload.useRandomizedPayloads()) {
            payload = payload(workload, workload.payloadFile(), path, home, problems);
        }
        ConfigException.throwIfAny(path, problems);
        return new WorkloadFile(
                path,
                Objects.requireNonNull(workload, "refused without a reason"),
                payload,
                file.root().toObject());
    }

    /**
     * A workload of the harness' own, which is in no file and whose values may be outside of the ranges that files have.
     *
     * @param name what it is called
     * @param keys as a file would have them
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

    /** The file's name without its extension: what OMB begins the name of a result file with. */
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

    private static Optional<Path> payload(
            Workload workload, String name, Path workloadPath, Path home, Problems problems) {
        try {
            Optional<Path> found = Stream.of(Path.of(name), home.resolve(name), workloadPath.resolveSibling(name))
                    .filter(Files::isRegularFile)
                    .findFirst();
            if (found.isPresent()) {
                checkPayload(found.get(), workload.messageSize(), name, problems);
            } else {
                String places = "in the current folder, in " + home + " or beside the workload";
                problems.add("payloadFile", "there is no such file " + places, name);
            }
            return found;
        } catch (InvalidPathException | IOException e) {
            problems.add("payloadFile", "must be a file that can be read: " + e.getMessage(), name);
            return Optional.empty();
        }
    }

    private static void checkPayload(Path payload, int messageSizeBytes, String name, Problems problems)
            throws IOException {
        problems.require(Files.isReadable(payload), "payloadFile", "must be readable", name);
        long sizeBytes = Files.size(payload);
        boolean messageSizeIsKnown = messageSizeBytes > 0;
        problems.require(
                sizeBytes == messageSizeBytes || !messageSizeIsKnown,
                "payloadFile",
                "must have " + messageSizeBytes + " bytes, the messageSize, has " + sizeBytes,
                name);
    }
}
