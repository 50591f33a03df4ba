package io.openmessaging.benchmark.cli.process;

import io.openmessaging.benchmark.worker.transport.Build;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Where this program is installed, as the start script tells by system properties.
 *
 * @param home the checkout or the unpacked release ({@code benchmark.home})
 * @param distribution the folder with {@code lib/} and {@code drivers/} ({@code benchmark.distribution}): home itself in
 *     a release, a build folder in a checkout
 */
public record Installation(Path home, Path distribution) {

    /** What {@code --version} prints: the name of the program and the version of the build. */
    public static final class BuildVersion implements IVersionProvider {

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli
        private CommandSpec spec;

        @Override
        public String[] getVersion() {
            return new String[] {spec.root().name() + " " + version()};
        }
    }

    /** That of this process. */
    public static Installation fromSystemProperties() {
        Path home = Path.of(System.getProperty("benchmark.home", "")).toAbsolutePath();
        return new Installation(home, Path.of(System.getProperty("benchmark.distribution", home.toString())));
    }

    /** The folder with a folder for each driver. */
    public Path drivers() {
        return distribution.resolve("drivers");
    }

    /**
     * What this process runs.
     *
     * @throws IOException if what is installed cannot be read
     */
    public static Build build() throws IOException {
        return Build.of(version(), fromSystemProperties().distribution());
    }

    /** The version of the build. */
    public static String version() {
        return Objects.requireNonNullElse(Installation.class.getPackage().getImplementationVersion(), "development");
    }
}
