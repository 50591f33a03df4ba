package io.openmessaging.benchmark.broker.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Packages that lie in a folder as they would lie in {@code /}, without being installed.
 *
 * @param root that folder, absolute
 * @param environment what a program from there needs to find its libraries, which are not where they belong
 */
public record UnpackedPackages(Path root, Map<String, String> environment) {

    private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";

    private static final Pattern LIBRARY = Pattern.compile("lib.+\\.so\\..+");

    /** Copies the map. */
    public UnpackedPackages {
        environment = Map.copyOf(environment);
    }

    static UnpackedPackages in(Path root) throws IOException {
        String folders;
        try (Stream<Path> files = Files.walk(root)) {
            folders = files.filter(UnpackedPackages::isLibrary)
                    .map(file -> file.resolveSibling("").toString())
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(":"));
        }
        String before = System.getenv().getOrDefault(LIBRARY_PATH, "");
        return new UnpackedPackages(root, Map.of(LIBRARY_PATH, before.isEmpty() ? folders : folders + ":" + before));
    }

    private static boolean isLibrary(Path file) {
        return LIBRARY.matcher(String.valueOf(file.getFileName())).matches();
    }

    /** A file by its place in the system, such as {@code usr/bin/redis-server}. */
    public Path file(String place) {
        return root.resolve(place);
    }
}
