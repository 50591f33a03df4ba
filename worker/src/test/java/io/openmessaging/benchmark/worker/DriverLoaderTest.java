package io.openmessaging.benchmark.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.omb.OmbFixture;
import io.openmessaging.benchmark.omb.OmbFixture.Generation;
import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.worker.DriverLoader.DriverClassLoader;
import io.openmessaging.benchmark.worker.fake.FakeDriver;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DriverLoaderTest {

    private static final String FAKE = FakeDriver.class.getName();

    /** A driver whose addresses tell the test about its environment. */
    private static final String CURIOUS = """
            import io.openmessaging.benchmark.driver.*;
            import java.util.*;

            public class Curious implements BenchmarkDriver<Curious.Config> {
                public record Config(List<String> classes, String resource) {}

                private final String contextLoader =
                        String.valueOf(Thread.currentThread().getContextClassLoader() == getClass().getClassLoader());

                public Class<Config> configType() {
                    return Config.class;
                }

                public List<String> addresses(Config config) {
                    List<String> visible = new ArrayList<>();
                    for (String name : config.classes()) {
                        try {
                            Class.forName(name, false, getClass().getClassLoader());
                            visible.add(name);
                        } catch (ClassNotFoundException e) {
                            // Not visible.
                        }
                    }
                    return visible;
                }

                public Config withAddresses(Config config, List<String> addresses) {
                    return new Config(addresses, config.resource());
                }

                public Config withEndpoint(Config config, String name, List<String> addresses) {
                    List<String> all = new ArrayList<>(config.classes());
                    addresses.forEach(address -> all.add(name + "." + address));
                    return new Config(all, config.resource());
                }

                public String clientVersion() {
                    return contextLoader;
                }

                public DriverConnection connect(Config config, DriverContext context) throws DriverException {
                    throw new DriverException("never");
                }
            }
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private Path drivers = Path.of("");
    private DriverLoader loader = new DriverLoader(drivers);

    @BeforeEach
    void noDriversAreInstalled() throws IOException {
        drivers = Files.createDirectories(folder.resolve("drivers"));
        loader = new DriverLoader(drivers);
    }

    private DriverSettings settings(String driverClass, String... lines) throws IOException, ConfigException {
        Path file = folder.resolve("driver.yaml");
        Files.writeString(file, "name: x\n" + String.join("\n", lines));
        return new DriverSettings(file, driverClass, YamlFile.read(file).root().without("name"));
    }

    private void installCurious(String name) throws IOException {
        DriverJars.install(drivers, name, "example", Map.of("Curious", CURIOUS));
    }

    private void installBroken(String body) throws IOException {
        DriverJars.install(
                drivers,
                "broken",
                "example",
                Map.of(
                        "Broken",
                        "import io.openmessaging.benchmark.driver.*; import java.util.*;"
                                + "public class Broken implements BenchmarkDriver<Broken.Config> {" + body
                                + "public List<String> addresses(Config c) { return List.of(); }"
                                + "public Config withAddresses(Config c, List<String> a) { return c; }"
                                + "public String clientVersion() { return \"1\"; }"
                                + "public DriverConnection connect(Config c, DriverContext x) { return null; } }"));
    }

    private static final String PLAIN_CONFIG =
            "public record Config() {} public Class<Config> configType() { return Config.class; }";

    @Test
    void aDriverComesFromTheJarsOfItsFolder() throws Exception {
        DriverJars.installFake(drivers, "fake");
        LoadedDriver<?> driver = loader.load(settings(FAKE, "addresses: [\"localhost:1\"]"));

        assertThat(driver.clientVersion()).isEqualTo("fake-client 2.0");
        assertThat(driver.addresses()).containsExactly("localhost:1");
        assertThat(driver.withAddresses(List.of("localhost:2"), Map.of()).addresses())
                .containsExactly("localhost:2");
        assertThat(driver.addresses()).as("unchanged").containsExactly("localhost:1");
        assertThat(driver.localBrokers()).isEmpty();
        assertThat(driver.classLoader())
                .isInstanceOf(DriverClassLoader.class)
                .isNotSameAs(FakeDriver.class.getClassLoader());
        assertThat(driver.classLoader().getName()).isEqualTo("driver fake");
    }

    @Test
    void theInterfacesOfTheSpiAreTheHarnessOwn() throws Exception {
        DriverJars.installFake(drivers, "fake");
        ClassLoader own = loader.load(settings(FAKE)).classLoader();
        assertThat(own.loadClass(BenchmarkDriver.class.getName())).isSameAs(BenchmarkDriver.class);
        assertThat(own.loadClass("io.openmessaging.benchmark.driver.Problems$Problem")
                        .getClassLoader())
                .isSameAs(BenchmarkDriver.class.getClassLoader());
        assertThat(own.loadClass("org.slf4j.Logger")).isSameAs(org.slf4j.Logger.class);
        assertThat(own.loadClass(FAKE)).isNotSameAs(FakeDriver.class);
    }

    @Test
    void aDriverSeesTheSpiAndSlf4jButNeitherTheHarnessNorItsLibraries() throws Exception {
        installCurious("curious");
        LoadedDriver<?> driver = loader.load(settings(
                "example.Curious",
                "classes:",
                "  - io.openmessaging.benchmark.driver.BenchmarkDriver",
                "  - org.slf4j.LoggerFactory",
                "  - org.jspecify.annotations.Nullable",
                "  - java.sql.Connection",
                "  - example.Curious",
                "  - io.openmessaging.benchmark.worker.protocol.Worker",
                "  - io.openmessaging.benchmark.worker.fake.FakeDriver",
                "  - io.openmessaging.benchmark.cli.Main",
                "  - io.openmessaging.benchmark.broker.LocalBroker",
                "  - picocli.CommandLine",
                "  - tools.jackson.databind.JsonNode",
                "  - org.HdrHistogram.Histogram",
                "  - ch.qos.logback.classic.LoggerContext",
                "  - io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver"));
        assertThat(driver.addresses())
                .containsExactly(
                        "io.openmessaging.benchmark.driver.BenchmarkDriver",
                        "org.slf4j.LoggerFactory",
                        "org.jspecify.annotations.Nullable",
                        "java.sql.Connection",
                        "example.Curious");
    }

    @Test
    void neitherDoesItSeeTheResourcesOfTheHarness() throws Exception {
        DriverJars.installFake(drivers, "fake");
        ClassLoader own = loader.load(settings(FAKE)).classLoader();
        assertThat(own.getResource("marker.txt")).isNotNull();
        assertThat(getClass().getClassLoader().getResource("logback-test.xml")).isNotNull();
        assertThat(own.getResource("logback-test.xml")).isNull();
    }

    @Test
    void aDriverIsMadeWithItsOwnContextAndTheOldOneComesBack() throws Exception {
        installCurious("curious");
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        LoadedDriver<?> driver = loader.load(settings("example.Curious", "classes: []"));
        assertThat(driver.clientVersion()).isEqualTo("true");
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }

    @Test
    void everyEndpointOfABrokerIsHandedToTheDriver() throws Exception {
        installCurious("curious");
        LoadedDriver<?> driver = loader.load(settings("example.Curious", "classes: []"));
        Map<String, List<String>> endpoints =
                Map.of("example", List.of("Curious", "Missing"), "java.util", List.of("List"));

        assertThat(driver.withAddresses(List.of("java.lang.String"), endpoints).addresses())
                .containsExactlyInAnyOrder("java.lang.String", "example.Curious", "java.util.List");
    }

    @Test
    void whatADriverSaysOfItselfIsEnoughToLoadItElsewhere() throws Exception {
        installCurious("curious");
        LoadedDriver<?> driver =
                loader.load(settings("example.Curious", "classes: [java.util.Map]", "resource: \"1\""));
        LoadedDriver<?> same = new DriverLoader(drivers).load(driver.description());
        assertThat(same.addresses()).containsExactly("java.util.Map");
        assertThat(same.description()).isEqualTo(driver.description());

        LoadedDriver<?> pointed = driver.withAddresses(List.of("java.util.Set"), Map.of("java.util", List.of("List")));
        assertThat(new DriverLoader(drivers).load(pointed.description()).addresses())
                .isEqualTo(pointed.addresses())
                .containsExactlyInAnyOrder("java.util.Set", "java.util.List");
        assertThat(new DriverLoader(drivers).load(pointed.description()).description())
                .isEqualTo(pointed.description());
    }

    @Test
    void whatADriverDoesNotAcceptIsReportedWithTheNameOfItsFileElsewhere() throws Exception {
        DriverJars.installFake(drivers, "fake");
        DriverSettings settings = settings(FAKE, "adresses: []");
        assertThatThrownBy(() -> loader.load(DriverDescription.of(settings)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(settings.file().toString())
                .hasMessageContaining("adresses: unknown key, did you mean 'addresses'?");
    }

    @Test
    void twoDriverFilesOfOneSystemShareItsClasses() throws Exception {
        DriverJars.installFake(drivers, "fake");
        assertThat(loader.load(settings(FAKE)).classLoader())
                .isSameAs(loader.load(settings(FAKE)).classLoader());
    }

    @Test
    void theSameClassNameInTwoFoldersMakesTwoClassesAndTheFirstFolderWins() throws Exception {
        installCurious("second");
        installCurious("first");
        DriverJars.installFake(drivers, "fake");
        LoadedDriver<?> curious = loader.load(settings("example.Curious", "classes: []"));
        LoadedDriver<?> fake = loader.load(settings(FAKE));

        assertThat(curious.classLoader().getName()).isEqualTo("driver first");
        assertThat(fake.classLoader()).isNotSameAs(curious.classLoader());
        assertThatThrownBy(() -> fake.classLoader().loadClass("example.Curious"))
                .isInstanceOf(ClassNotFoundException.class);

        DriverLoader other = new DriverLoader(drivers);
        assertThat(other.load(settings("example.Curious", "classes: []")).classLoader())
                .isNotSameAs(curious.classLoader());
    }

    @Test
    void aClassThatIsNotInstalledComesWithWhatIs() throws Exception {
        DriverJars.installFake(drivers, "fake");
        installCurious("curious");
        Files.writeString(drivers.resolve("README"), "no driver");
        assertRefused(
                "org.example.Missing",
                "must be the class of an installed driver; there are drivers for [curious, fake];"
                        + " put the jars of another driver into their own folder below " + drivers
                        + ", got 'org.example.Missing'");
    }

    @Test
    void aMisspeltClassComesWithTheOneThatWasMeant() throws Exception {
        DriverJars.installFake(drivers, "fake");
        String misspelt = FAKE.replace("Driver", "Drivr");
        assertRefused(
                misspelt,
                "must be the class of an installed driver, got '" + misspelt + "', did you mean '" + FAKE + "'?");
    }

    private void assertRefused(String driverClass, String rule) throws Exception {
        DriverSettings settings = settings(driverClass);
        assertThatThrownBy(() -> loader.load(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(settings.file() + ": driverClass: ")
                .hasMessageContaining(rule)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.openmessaging.benchmark.cli.Main",
                "io.openmessaging.benchmark.driver.BenchmarkDriver",
                "io.openmessaging.benchmark.worker.LocalWorker"
            })
    void classesOfTheHarnessAreNoDrivers(String driverClass) throws Exception {
        DriverJars.installFake(drivers, "fake");
        assertRefused(driverClass, "must be the class of an installed driver; there are drivers for [fake]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.lang.String", "io.openmessaging.benchmark.worker.fake.FakeSystem"})
    void aClassThatIsNoDriverIsRefused(String driverClass) throws Exception {
        DriverJars.installFake(drivers, "fake");
        assertRefused(driverClass, "must be a class that implements io.openmessaging.benchmark.driver.BenchmarkDriver");
    }

    @Test
    void withoutTheFolderNothingIsInstalled() throws Exception {
        loader = new DriverLoader(folder.resolve("nowhere"));
        assertRefused(FAKE, "no drivers are installed in " + folder.resolve("nowhere"));
    }

    @Test
    void inAnEmptyFolderNothingIsInstalled() throws Exception {
        assertRefused(FAKE, "no drivers are installed in " + drivers);
    }

    @Test
    void aFolderWithoutJarsIsNoDriver() throws Exception {
        Files.createDirectories(drivers.resolve("empty"));
        assertRefused(FAKE, "must be the class of an installed driver; there are no drivers; put the jars");
    }

    @Test
    void aDriverThatCannotBeMadeSaysWhy() throws Exception {
        installBroken(PLAIN_CONFIG + "public Broken() { throw new IllegalStateException(\"no native library\"); }");
        assertRefused("example.Broken", "no native library");
    }

    @Test
    void aDriverThatNeedsArgumentsIsRefused() throws Exception {
        installBroken(PLAIN_CONFIG + "public Broken(int number) {}");
        assertRefused("example.Broken", "must be a class that can be instantiated without arguments");
    }

    @Test
    void aDriverWhoseStaticsFailIsRefused() throws Exception {
        installBroken(PLAIN_CONFIG + "static final int N = Integer.parseInt(\"many\");");
        assertRefused("example.Broken", "many");
    }

    @Test
    void aDriverWhoseConfigurationCannotBeBoundIsRefused() throws Exception {
        installBroken("public record Config(Thread thread) {} public Class<Config> configType() "
                + "{ return Config.class; }");
        assertRefused("example.Broken", "java.lang.Thread");
    }

    @Test
    void aDriverOfWhichAClassIsMissingIsRefused() throws Exception {
        DriverJars.install(
                drivers,
                "broken",
                "example",
                Map.of("Base", "public class Base {}", "Broken", "public class Broken extends Base {}"));
        Path jar = drivers.resolve("broken").resolve("broken.jar");
        try (var contents = java.nio.file.FileSystems.newFileSystem(jar)) {
            Files.delete(contents.getPath("example", "Base.class"));
        }
        assertRefused("example.Broken", "must be a class that can be loaded");
    }

    private static final String OF_OMB = OmbFixture.DRIVER;

    @Test
    void aFolderWithOmbsApiHasDriversOfOmb() throws Exception {
        OmbFixture.install(drivers.resolve("omb"), Generation.WITH_LISTS);
        DriverJars.installFake(drivers, "fake");
        LoadedDriver<?> driver = loader.load(settings(OF_OMB, "url: x"));

        assertThat(driver.clientVersion()).isEqualTo("OMB driver in queue.jar");
        assertThat(driver.insideThisProcess()).isFalse();
        assertThat(driver.classLoader().loadClass("io.openmessaging.benchmark.driver.BenchmarkDriver"))
                .isNotSameAs(BenchmarkDriver.class);
        assertThat(driver.classLoader().loadClass("org.slf4j.Logger")).isSameAs(org.slf4j.Logger.class);
        ClassLoader context = driver.call(() -> Thread.currentThread().getContextClassLoader());
        assertThat(context).isSameAs(driver.classLoader());
        assertThat(loader.load(settings(FAKE)).classLoader()).isInstanceOf(DriverClassLoader.class);
        assertThat(loader.driversOfOmb())
                .containsExactly(
                        new DriverLoader.DriversOfOmb(drivers.resolve("omb"), List.of(OF_OMB), Optional.empty()));
        assertThat(new DriverLoader(drivers).load(driver.description()).scratchBytes())
                .isZero();
    }

    @Test
    void aDriverOfTheHarnessWinsUnlessTheFileSaysOtherwise() throws Exception {
        OmbFixture.install(drivers.resolve("another"), Generation.WITH_LISTS);
        DriverJars.install(
                drivers,
                "ours",
                "example.queue",
                Map.of("QueueBenchmarkDriver", CURIOUS.replace("Curious", "QueueBenchmarkDriver")));

        assertThat(loader.load(settings(OF_OMB, "classes: []")).classLoader().getName())
                .isEqualTo("driver ours");
        LoadedDriver<?> preferred = loader.load(settings(OF_OMB, "omb: {preferred: true, scratchBytes: 8}"));
        assertThat(preferred.classLoader().getName()).isEqualTo("OMB drivers another");
        assertThat(preferred.scratchBytes()).isEqualTo(8);
        assertThatThrownBy(() -> loader.load(settings(OF_OMB, "omb: {scratchBytes: 8}")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("driver.yaml: omb: must be absent, or have preferred: true");
    }

    @Test
    void twoFoldersWithTheSameDriverOfOmbAreRefused() throws Exception {
        OmbFixture.install(drivers.resolve("new"), Generation.WITH_LISTS);
        OmbFixture.install(drivers.resolve("old"), Generation.OF_2018);
        assertRefused(
                OF_OMB,
                "must be in one folder only, but is in " + drivers.resolve("new") + " and " + drivers.resolve("old"));
    }

    @Test
    void aFolderWithOmbsApiAndNoDriverSaysSo() throws Exception {
        OmbFixture.install(drivers.resolve("omb"), Generation.WITH_LISTS);
        Files.delete(drivers.resolve("omb").resolve("queue.jar"));
        assertRefused(
                OF_OMB,
                "must be the class of an installed driver; " + drivers.resolve("omb")
                        + " has OMB's API and no driver; put");
    }

    private static final String NO_API = " has a driver that was built for OMB, and not the class"
            + " io.openmessaging.benchmark.driver.ConsumerCallback of OMB's API: copy driver-api-*.jar there";

    @ParameterizedTest
    @EnumSource(names = {"OF_2018", "WITH_LISTS"})
    void aDriverOfOmbWithoutItsApiNamesTheJarThatIsMissing(Generation generation) throws Exception {
        Path omb = OmbFixture.install(drivers.resolve("omb"), generation);
        Files.delete(omb.resolve("api.jar"));
        DriverJars.installFake(drivers, "fake");

        assertRefused(OF_OMB, "must be the class of a driver that can be used: " + omb + NO_API);
        assertThat(loader.driversOfOmb()).singleElement().satisfies(found -> {
            assertThat(found.folder()).isEqualTo(omb);
            assertThat(found.classes()).isEmpty();
            assertThat(found.obstacle()).get(InstanceOfAssertFactories.STRING).startsWith(NO_API.strip());
        });
        assertRefused("org.example.Missing", "; " + omb + NO_API);
    }

    @Test
    void oneThatIsPreferredIsNotReplacedByTheHarnessOwn() throws Exception {
        Path omb = OmbFixture.install(drivers.resolve("zzz"), Generation.WITH_LISTS);
        Files.delete(omb.resolve("api.jar"));
        DriverJars.install(
                drivers,
                "ours",
                "example.queue",
                Map.of("QueueBenchmarkDriver", CURIOUS.replace("Curious", "QueueBenchmarkDriver")));

        assertThat(loader.load(settings(OF_OMB, "classes: []")).classLoader().getName())
                .isEqualTo("driver ours");
        DriverSettings preferring = settings(OF_OMB, "omb: {preferred: true}");
        assertThatThrownBy(() -> loader.load(preferring))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(omb + NO_API);
    }

    /** The classes of this module in an installation without the module for drivers of OMB. */
    private static final class WithoutBridge extends URLClassLoader {

        WithoutBridge() throws IOException {
            super(
                    new URL[] {ProgramPath.ofClass(DriverLoader.class).toUri().toURL()},
                    DriverLoader.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.openmessaging.benchmark.omb.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.openmessaging.benchmark.worker.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }

        @Override
        public @Nullable URL getResource(String name) {
            return name.startsWith("io/openmessaging/benchmark/omb/") ? null : super.getResource(name);
        }

        /** Loads a driver and returns the version of its client. */
        Object load(Path drivers, DriverSettings settings) throws Exception {
            Class<?> type = loadClass(DriverLoader.class.getName());
            Object loader = type.getConstructor(Path.class).newInstance(drivers);
            Object driver =
                    requireNonNull(type.getMethod("load", DriverSettings.class).invoke(loader, settings));
            return requireNonNull(driver.getClass().getMethod("clientVersion").invoke(driver));
        }
    }

    @Test
    void withoutTheBridgeAllDriversButThoseOfOmbAreLoaded() throws Exception {
        OmbFixture.install(drivers.resolve("omb"), Generation.WITH_LISTS);
        DriverJars.installFake(drivers, "fake");
        try (WithoutBridge installation = new WithoutBridge()) {
            assertThat(installation.load(drivers, settings(FAKE))).isEqualTo("fake-client 2.0");

            DriverSettings ofOmb = settings(OF_OMB);
            assertThatThrownBy(() -> installation.load(drivers, ofOmb))
                    .cause()
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("driverClass: must be the class of a driver that can be used: "
                            + drivers.resolve("omb") + " has drivers of OMB, which need lib/omb-drivers-*.jar");
            DriverSettings preferring = settings(FAKE, "omb: {preferred: true}");
            assertThatThrownBy(() -> installation.load(drivers, preferring))
                    .cause()
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("omb: must be absent: it needs lib/omb-drivers-*.jar");
        }
    }

    @Test
    void anApiOfOmbThatIsNotKnownIsRefusedWithItsSignature() throws Exception {
        OmbFixture.install(drivers.resolve("omb"), Generation.UNKNOWN);
        assertRefused(OF_OMB, "createTopic(String, int, String[]), expected createTopic(String, int)");
    }

    @Test
    void keysOfTheBridgeAreChecked() throws Exception {
        OmbFixture.install(drivers.resolve("omb"), Generation.WITH_LISTS);
        assertThatThrownBy(() -> loader.load(settings(OF_OMB, "omb: {scratchBytes: -1, prefered: true}")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("omb.prefered: unknown key, did you mean 'preferred'?")
                .hasMessageContaining("omb.scratchBytes: must be");
    }

    @Test
    void whatTheDriverDoesNotAcceptIsReportedWithItsKey() throws Exception {
        DriverJars.installFake(drivers, "fake");
        DriverSettings settings = settings(FAKE, "adresses: []", "refuseSends: maybe");
        assertThatThrownBy(() -> loader.load(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("adresses: unknown key, did you mean 'addresses'?")
                .hasMessageContaining("refuseSends: must be true or false");
    }
}
