package io.openmessaging.benchmark.cli.process;

import io.openmessaging.benchmark.worker.transport.Build;
import java.io.IOException;
import java.nio.file.Files;
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

    /** The version of classes that are in no jar. */
    private static final String DEVELOPMENT = "development";

    /** The file that {@code bin/build} and {@code bin/package} write. */
    private static final String COMMIT = "commit";

    /** Output of {@code --version}: the name of the program, its version and commit. */
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
        return Build.of(release(), fromSystemProperties().distribution());
    }

    /**
     * Returns the version, and the commit that the program was built from, such as {@code 1.0.0+1fb98908ac13}; with
     * {@code .dirty} if the sources differed from it. It is no part of the {@link #build}, since it may differ between
     * equal jars.
     */
    public static String version() {
        return version(release(), fromSystemProperties().distribution());
    }

    static String version(String release, Path distribution) {
        if (release.equals(DEVELOPMENT)) {
            return release;
        }
        try {
            return release + "+"
                    + Files.readString(distribution.resolve(COMMIT)).strip();
        } catch (IOException e) {
            return release + "+unknown";
        }
    }

    private static String release() {
        return Objects.requireNonNullElse(Installation.class.getPackage().getImplementationVersion(), DEVELOPMENT);
    }
}
