package io.openmessaging.benchmark.worker.transport;

import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.program.ProgramRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes key files with the JDK's own tool. */
public final class KeyMaker {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** A pinned certificate is compared and its date ignored, but the format requires an end. */
    private static final int VALID_DAYS = 36_500;

    private KeyMaker() {}

    /**
     * Makes a new key pair in a file that only its owner can read.
     *
     * @throws KeyFileException if the file already exists, in which case it is left as it is, or if none can be made
     */
    public static void make(Path file) throws KeyFileException, InterruptedException {
        if (Files.exists(file)) {
            throw exists(file, null);
        }
        Path folder = file.toAbsolutePath().getParent();
        Path scratch = null;
        try {
            // Only its owner can enter a temporary folder, so the tool may write there with any permissions.
            scratch = Files.createTempDirectory(folder, ".key");
            Path made = scratch.resolve("new");
            call(file, made);
            if (Files.getFileStore(made).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
            }
            Files.move(made, file);
        } catch (FileAlreadyExistsException e) {
            throw exists(file, e);
        } catch (IOException e) {
            throw new KeyFileException(file, "cannot be created in " + folder + " (" + e.getMessage() + ")", e);
        } finally {
            remove(scratch);
        }
    }

    private static KeyFileException exists(Path file, @Nullable Throwable cause) {
        return new KeyFileException(
                file, "already exists and was not changed; remove it first or name another file", cause);
    }

    private static void call(Path file, Path made) throws IOException, KeyFileException, InterruptedException {
        Path tool = Path.of(ProgramPath.ofThisJava("keytool"));
        if (!Files.isExecutable(tool)) {
            throw new KeyFileException(file, "cannot be created without " + tool + ", which is part of a JDK", null);
        }
        ProgramRun run = ProgramRun.of(
                new ProcessBuilder(
                        tool.toString(),
                        "-genkeypair",
                        "-alias",
                        "benchmark",
                        "-dname",
                        "CN=benchmark",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        String.valueOf(VALID_DAYS),
                        "-storetype",
                        KeyFile.TYPE,
                        "-storepass",
                        KeyFile.DEFAULT_PASSWORD,
                        "-keystore",
                        made.toString()),
                "",
                LIMIT);
        if (run.exitCode().isEmpty()) {
            throw new KeyFileException(file, tool + " did not end within " + LIMIT.toSeconds() + " s", null);
        }
        if (!run.succeeded()) {
            throw new KeyFileException(file, tool + " failed: " + String.join("\n", run.output()), null);
        }
    }

    private static void remove(@Nullable Path scratch) {
        if (scratch == null) {
            return;
        }
        try {
            Files.deleteIfExists(scratch.resolve("new"));
            Files.delete(scratch);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
