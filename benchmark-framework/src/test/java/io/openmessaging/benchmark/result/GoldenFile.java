package io.openmessaging.benchmark.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares a text with a file of the test resources. {@code -Dgolden.update=true} rewrites the files; version control
 * then shows the changes.
 */
public final class GoldenFile {

    private static final Path FOLDER = Path.of("src/test/resources/io/openmessaging/benchmark/result");

    private GoldenFile() {}

    public static Path path(String name) {
        return FOLDER.resolve(name);
    }

    public static void assertSame(String name, String actual) throws IOException {
        Path file = path(name);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, actual);
        }
        assertThat(actual).as("%s; -Dgolden.update=true writes it anew", file).isEqualTo(Files.readString(file));
    }
}
