package io.openmessaging.benchmark.cli.process;

import io.openmessaging.benchmark.worker.transport.Build;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Location of this program, from system properties that the start script sets.
 *
 * @param home the checkout or the unpacked release ({@code benchmark.home})
 * @param distribution the folder with {@code lib/} and {@code drivers/} ({@code benchmark.distribution}): home itself
 *     in a release, a build folder in a checkout
 */
public record Installation(Path home, Path distribution) {

    /** Output of {@code --version}: the name of the program and the version of the build. */
    public static final class BuildVersion implements IVersionProvider {

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli
        private CommandSpec spec;

        @Override
        public String[] getVersion() {
            return new String[] {spec.root().name() + " " + version()};
        }
    }

    /** Returns the installation of this process. */
    public static Installation fromSystemProperties() {
        Path home = Path.of(System.getProperty("benchmark.home", "")).toAbsolutePath();
        return new Installation(home, Path.of(System.getProperty("benchmark.distribution", home.toString())));
    }

    /** Returns the folder that has a subfolder for each driver. */
    public Path drivers() {
        return distribution.resolve("drivers");
    }

    /**
     * Returns the build of this process.
     *
     * @throws IOException if the installation cannot be read
     */
    public static Build build() throws IOException {
        return Build.of(version(), fromSystemProperties().distribution());
    }

    public static String version() {
        return Objects.requireNonNullElse(Installation.class.getPackage().getImplementationVersion(), "development");
    }
}
