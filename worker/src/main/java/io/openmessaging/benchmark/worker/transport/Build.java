package io.openmessaging.benchmark.worker.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The installed software. Only workers of the same build can share a run, since requests have no versions.
 *
 * @param version version of the build, for people
 * @param folders digest of the jars of each folder ({@code lib}, {@code drivers/kafka}, …)
 */
public record Build(String version, Map<String, String> folders) {

    private static final int SHOWN_DIGITS = 8;

    /** Rejects invalid data: it may come from anywhere. */
    public Build {
        Objects.requireNonNull(version, "version");
        folders = Map.copyOf(folders);
    }

    /**
     * Computes the build of a distribution from the tables of contents of its jars: these have a checksum of each
     * file, so that nothing else needs to be read.
     *
     * @param distribution folder with {@code lib/} and {@code drivers/}
     * @throws IOException if a jar cannot be read
     */
    public static Build of(String version, Path distribution) throws IOException {
        Map<String, String> digests = new TreeMap<>();
        for (Path folder : folders(distribution)) {
            digests.put(distribution.relativize(folder).toString().replace('\\', '/'), digest(folder));
        }
        return new Build(version, digests);
    }

    private static List<Path> folders(Path distribution) throws IOException {
        List<Path> folders = new ArrayList<>();
        if (Files.isDirectory(distribution.resolve("lib"))) {
            folders.add(distribution.resolve("lib"));
        }
        if (Files.isDirectory(distribution.resolve("drivers"))) {
            try (Stream<Path> drivers = Files.list(distribution.resolve("drivers"))) {
                drivers.filter(Files::isDirectory).forEach(folders::add);
            }
        }
        return folders;
    }

    private static String digest(Path folder) throws IOException {
        MessageDigest digest = sha256();
        List<Path> jars;
        try (Stream<Path> files = Files.list(folder)) {
            jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
        for (Path jar : jars) {
            digest.update(String.valueOf(jar.getFileName()).getBytes(StandardCharsets.UTF_8));
            try (ZipFile zip = new ZipFile(jar.toFile())) {
                Enumeration<? extends ZipEntry> entries = zip.entries();
                while (entries.hasMoreElements()) {
                    ZipEntry entry = entries.nextElement();
                    String line = entry.getName() + ' ' + entry.getSize() + ' ' + entry.getCrc() + '\n';
                    digest.update(line.getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    /** Distinguishes builds of one version by a few digits. */
    private String shortDigest() {
        MessageDigest digest = sha256();
        new TreeMap<>(folders)
                .forEach((folder, jars) -> digest.update((folder + ' ' + jars).getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(digest.digest()).substring(0, SHOWN_DIGITS);
    }

    /** Returns the folders whose jars differ between the builds, or that only one of the two has. */
    public List<String> differences(Build other) {
        TreeSet<String> all = new TreeSet<>(folders.keySet());
        all.addAll(other.folders.keySet());
        return all.stream()
                .filter(folder -> !Objects.equals(folders.get(folder), other.folders.get(folder)))
                .toList();
    }

    @Override
    public String toString() {
        return version + " (" + shortDigest() + ")";
    }
}
