package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of the system. */
final class Programs {

    /** All that is run here ends at once, unless the machine has too much to do. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Those of the administrator are not on everybody's path. */
    private static final String MORE_FOLDERS = ":/usr/sbin:/sbin:/usr/local/sbin";

    private Programs() {}

    static Optional<Path> find(String name) {
        return Stream.of((System.getenv().getOrDefault("PATH", "") + MORE_FOLDERS).split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * As {@link #find}.
     *
     * @param source the package that has it
     * @throws IOException with a sentence if there is none
     */
    static String require(String name, String source) throws IOException {
        return find(name)
                .orElseThrow(() -> new IOException("there is no program " + name + " (package " + source + ")"))
                .toString();
    }

    /**
     * Runs a program and returns what it prints.
     *
     * @param input what it reads
     * @throws IOException with the first line of its complaint if it ends with another code than 0, or not within 20 s
     */
    static String run(List<String> command, String input) throws IOException, InterruptedException {
        Path printed = Files.createTempFile("fault", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            try {
                try (var pipe = process.getOutputStream()) {
                    pipe.write(input.getBytes(StandardCharsets.UTF_8));
                }
                boolean ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
                String text = Files.readString(printed, StandardCharsets.ISO_8859_1);
                if (!ended || process.exitValue() != 0) {
                    throw new IOException(command.get(0) + ": "
                            + (ended ? firstLine(text) : "has not ended within " + LIMIT.toSeconds() + " s"));
                }
                return text;
            } finally {
                process.destroyForcibly();
            }
        } finally {
            Files.deleteIfExists(printed);
        }
    }

    private static String firstLine(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("ended without a word");
    }
}
