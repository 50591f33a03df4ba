package io.openmessaging.benchmark.program;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folders in which programs are searched.
 *
 * @param folders in search order
 */
public record ProgramPath(List<Path> folders) {

    /** Servers and administrator tools are often there, but the PATH of an ordinary user often lacks these folders. */
    private static final List<String> SERVER_FOLDERS =
            List.of("/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/homebrew/sbin");

    public ProgramPath {
        folders = List.copyOf(folders);
    }

    /** Returns the PATH of this process, followed by the usual folders for servers and administrator tools. */
    public static ProgramPath ofThisMachine() {
        String path = System.getenv().getOrDefault("PATH", "");
        return new ProgramPath(Stream.concat(
                        Arrays.stream(path.split(File.pathSeparator)).filter(folder -> !folder.isEmpty()),
                        SERVER_FOLDERS.stream())
                .map(Path::of)
                .toList());
    }

    /** Returns a program of the Java that runs this process, such as {@code java}. */
    public static String ofThisJava(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program).toString();
    }

    /** Returns the jar or the folder that a class was loaded from. */
    public static Path ofClass(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the class path contains a location that is not a file", e);
        }
    }

    /** Finds a program; does not resolve links, since some programs tell from the name of the link what to do. */
    public Optional<Path> find(String program) {
        return folders.stream()
                .map(folder -> folder.resolve(program))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }
}
