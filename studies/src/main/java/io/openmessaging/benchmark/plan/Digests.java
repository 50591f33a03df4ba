package io.openmessaging.benchmark.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** Digests of files, to notice that one has changed. */
final class Digests {

    private static final String ALGORITHM = "SHA-256";

    private Digests() {}

    /**
     * The digest of each file, by its path from a folder: whatever is moved together stays the same.
     *
     * @throws PlanException if one cannot be read any more
     */
    static Map<String, String> of(Collection<Path> files, Path from) throws PlanException {
        Map<String, String> digests = new TreeMap<>();
        Path folder = from.toAbsolutePath().normalize();
        for (Path file : files) {
            try {
                byte[] digest = MessageDigest.getInstance(ALGORITHM).digest(Files.readAllBytes(file));
                digests.put(
                        folder.relativize(file.toAbsolutePath().normalize()).toString(),
                        HexFormat.of().formatHex(digest));
            } catch (IOException e) {
                throw new PlanException(file + ": cannot be read: " + e.getMessage());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every Java has " + ALGORITHM, e);
            }
        }
        return digests;
    }
}
