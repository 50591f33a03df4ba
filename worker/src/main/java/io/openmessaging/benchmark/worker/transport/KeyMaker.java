package io.openmessaging.benchmark.worker.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes key files with the JDK's own tool. */
public final class KeyMaker {

    private static final int LIMIT_S = 60;

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
            throw new KeyFileException(file, "cannot be made in " + folder + " (" + e.getMessage() + ")", e);
        } finally {
            remove(scratch);
        }
    }

    private static KeyFileException exists(Path file, @Nullable Throwable cause) {
        return new KeyFileException(
                file, "exists already and is left as it is; remove it first or name another", cause);
    }

    private static void call(Path file, Path made) throws IOException, KeyFileException, InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        if (!Files.isExecutable(tool)) {
            throw new KeyFileException(file, "cannot be made without " + tool + ", which a JDK has", null);
        }
        ProcessBuilder keytool = new ProcessBuilder(List.of(
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
                        made.toString()))
                .redirectErrorStream(true);
        Path output = made.resolveSibling("output");
        Process process = keytool.redirectOutput(output.toFile()).start();
        try {
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                throw new KeyFileException(file, tool + " did not end within " + LIMIT_S + " s", null);
            }
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            String said = Files.readString(output, StandardCharsets.UTF_8).strip();
            throw new KeyFileException(file, tool + " failed: " + said, null);
        }
    }

    private static void remove(@Nullable Path scratch) {
        if (scratch == null) {
            return;
        }
        try {
            Files.deleteIfExists(scratch.resolve("new"));
            Files.deleteIfExists(scratch.resolve("output"));
            Files.delete(scratch);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
