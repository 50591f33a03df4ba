package io.openmessaging.benchmark.program;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folders in which programs are looked for.
 *
 * @param folders in the order in which they are searched
 */
public record ProgramPath(List<Path> folders) {

    /** Servers and tools of the administrator are often there, and the PATH of an ordinary user often lacks them. */
    private static final List<String> SERVER_FOLDERS =
            List.of("/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/homebrew/sbin");

    /** Copies the list. */
    public ProgramPath {
        folders = List.copyOf(folders);
    }

    /** The PATH of this process, and behind it the usual folders for servers and tools of the administrator. */
    public static ProgramPath ofThisMachine() {
        String path = System.getenv().getOrDefault("PATH", "");
        return new ProgramPath(Stream.concat(
                        Arrays.stream(path.split(File.pathSeparator)).filter(folder -> !folder.isEmpty()),
                        SERVER_FOLDERS.stream())
                .map(Path::of)
                .toList());
    }

    /** The program of that name, as it is called there: some tell from the name of a link what they are to do. */
    public Optional<Path> find(String program) {
        return folders.stream()
                .map(folder -> folder.resolve(program))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }
}
