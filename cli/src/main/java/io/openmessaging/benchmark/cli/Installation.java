package io.openmessaging.benchmark.cli;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Where this program is installed, as the start script tells by system properties.
 *
 * @param home the checkout or the unpacked release ({@code benchmark.home})
 * @param distribution the folder with {@code lib/} and {@code drivers/} ({@code benchmark.distribution}): home itself in
 *     a release, a build folder in a checkout
 */
record Installation(Path home, Path distribution) {

    static Installation fromSystemProperties() {
        Path home = Path.of(System.getProperty("benchmark.home", "")).toAbsolutePath();
        return new Installation(home, Path.of(System.getProperty("benchmark.distribution", home.toString())));
    }

    Path drivers() {
        return distribution.resolve("drivers");
    }

    /** The version of the build. */
    static String version() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "development");
    }
}
