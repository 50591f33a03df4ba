package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Generates drivers in a copy of the files that {@code bin/new-driver} needs. */
@StartsProcesses
class NewDriverTest {

    private static final String PACKAGES = "io/openmessaging/benchmark/driver/";

    @TempDir
    Path home;

    private record Outcome(int exitCode, String out, String err) {}

    @BeforeEach
    void copy() throws IOException {
        for (String file : List.of(
                "bin/new-driver",
                "pom.xml",
                "dist/pom.xml",
                "new-driver/pom.xml",
                "new-driver/acme.yaml",
                "new-driver/README.md")) {
            copy(Path.of(file));
        }
        for (Path file : files(Benchmark.HOME.resolve("new-driver/src"))) {
            copy(Benchmark.HOME.relativize(file));
        }
    }

    private void copy(Path file) throws IOException {
        Path to = home.resolve(file);
        Files.createDirectories(to.resolveSibling("."));
        Files.copy(Benchmark.HOME.resolve(file), to);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private Outcome newDriver(String... arguments) throws IOException, InterruptedException {
        Path out = home.resolve("out");
        Path err = home.resolve("err");
        Process process = new ProcessBuilder(
                        Stream.concat(Stream.of(home.resolve("bin/new-driver").toString()), Stream.of(arguments))
                                .toList())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        int exitCode = Patience.exitCode("bin/new-driver", process);
        Outcome outcome = new Outcome(exitCode, Files.readString(out), Files.readString(err));
        Files.delete(out);
        Files.delete(err);
        return outcome;
    }

    private String inPom(String pom, String path) throws Exception {
        return XPathFactory.newInstance()
                .newXPath()
                .evaluate(
                        path,
                        DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(home.resolve(pom).toFile()));
    }

    /** The name contains that of the template, in both spellings. */
    @Test
    void aNewDriverCompilesAndKeepsTheContract() throws Exception {
        Outcome outcome = newDriver("XacmeAcme");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("bin/benchmark -d xacmeacme ", "-pl driver-xacmeacme ");

        Path classes = compiled(home.resolve("driver-xacmeacme/src"));
        String name = "io.openmessaging.benchmark.driver.xacmeacme.XacmeAcme";
        assertThat(Files.readString(home.resolve("driver-xacmeacme/xacmeacme.yaml")))
                .contains("\nname: XacmeAcme\n", "\ndriverClass: " + name + "BenchmarkDriver\n");
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            Events tests = EngineTestKit.engine("junit-jupiter")
                    .selectors(
                            selectClass(loader.loadClass(name + "ClientTest")),
                            selectClass(loader.loadClass(name + "DriverIT")))
                    .execute()
                    .testEvents();
            assertThat(tests.failed().list()).isEmpty();
            assertThat(tests.succeeded().count()).isGreaterThan(25);
        }
    }

    /** The name in the documentation is that of the template, which is a module of the build as well. */
    @Test
    void theNameOfTheTemplateIsFreeForADriver() throws Exception {
        assertThat(newDriver("Acme").err()).isEmpty();
        String path = "/*[local-name()='project']/*[local-name()='artifactId']";
        assertThat(inPom("driver-acme/pom.xml", path))
                .isEqualTo("driver-acme")
                .isNotEqualTo(inPom("new-driver/pom.xml", path));
    }

    /** Compiles all sources with the jars of this test, with all warnings as errors, as the build does. */
    private Path compiled(Path sources) throws IOException {
        Path classes = Files.createDirectory(home.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-d",
                    classes.toString(),
                    "-proc:none",
                    "-Xlint:all,-path,-classfile",
                    "-Werror",
                    "-parameters",
                    "-cp",
                    System.getProperty("java.class.path"));
            boolean success = compiler.getTask(
                            messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files(sources)))
                    .call();
            assertThat(success).as(messages.toString()).isTrue();
        }
        return classes;
    }

    @Test
    void aNewDriverIsPartOfTheBuildAndOfTheDistribution() throws Exception {
        assertThat(newDriver("Zeta").exitCode()).isZero();
        assertThat(inPom("pom.xml", "//modules/module[. = 'driver-zeta']/following-sibling::module[1]"))
                .isEqualTo("new-driver");
        assertThat(inPom("pom.xml", "//dependencyManagement//dependency[artifactId = 'driver-zeta']/version"))
                .isEqualTo("${project.version}");
        assertThat(inPom("dist/pom.xml", "/project/dependencies/dependency[artifactId = 'driver-zeta']/scope"))
                .isEqualTo("provided");
        assertThat(inPom("dist/pom.xml", "//resource[directory = '../driver-zeta/target/driver']/targetPath"))
                .isEqualTo("zeta");
        assertThat(inPom("driver-zeta/pom.xml", "/project/artifactId")).isEqualTo("driver-zeta");

        assertThat(newDriver("eta").exitCode()).as("a second driver").isZero();
        assertThat(inPom("pom.xml", "count(//modules/module[starts-with(., 'driver-')])"))
                .isEqualTo(Long.toString(driversOfThisProject() + 2));
        assertThat(files(home.resolve("driver-eta/src/main/java/" + PACKAGES + "eta"))
                        .get(0)
                        .getFileName())
                .hasToString("EtaBenchmarkDriver.java");
        assertThat(files(home))
                .as("files that mention the template, or that are left over")
                .allSatisfy(file -> assertThat(home.relativize(file).toString())
                        .matches("(bin|dist|new-driver|driver-zeta|driver-eta)/.*|pom.xml")
                        .doesNotMatch("driver-.*[aA]cme.*"));
    }

    private static long driversOfThisProject() throws IOException {
        return Files.readString(Benchmark.HOME.resolve("pom.xml"))
                .lines()
                .filter(line -> line.contains("<module>driver-"))
                .count();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    kafka-2 | NAME must have only letters and digits and start with a letter, because Java classes start with it, got 'kafka-2'
                    2mq     | NAME must have only letters and digits and start with a letter, because Java classes start with it, got '2mq'
                    Ümq     | NAME must have only letters and digits and start with a letter, because Java classes start with it, got 'Ümq'
                    Package | NAME must not be a keyword of Java, because a package has it in lower case, got 'Package': for example PackageMq
                    There   | driver-there exists: choose another name, or remove the folder driver-there
                    Valkey  | the name 'valkey' is taken by the driver file driver-there/valkey.yaml: choose another one
                    Kafka   | driver-kafka exists: choose another name, or remove its <module> and <dependency> in pom.xml, its <dependency> and <resource> in dist/pom.xml
                    """)
    void aNameThatCannotBeUsedIsRefusedWithTheReason(String name, String reason) throws Exception {
        Files.createDirectory(home.resolve("driver-there"));
        Files.writeString(home.resolve("driver-there/valkey.yaml"), "name: Valkey\n");
        List<Path> before = files(home);
        String pom = Files.readString(home.resolve("pom.xml"));

        assertThat(newDriver(name)).isEqualTo(new Outcome(2, "", "new-driver: " + reason + "\n"));
        assertThat(files(home)).isEqualTo(before);
        assertThat(home.resolve("pom.xml")).hasContent(pom);
    }

    @Test
    void whatAnEarlierCallMadeIsNamedAtOnce() throws Exception {
        assertThat(newDriver("Zeta").exitCode()).isZero();
        assertThat(newDriver("Zeta").err())
                .isEqualTo(
                        "new-driver: driver-zeta exists: choose another name, or remove the folder driver-zeta,"
                                + " its <module> and <dependency> in pom.xml, its <dependency> and <resource> in dist/pom.xml\n");
    }

    @Test
    void withoutANameTheUsageIsShown() throws Exception {
        assertThat(newDriver())
                .isEqualTo(new Outcome(
                        2, "", "new-driver: takes one argument, the name of the system, got 0: bin/new-driver Acme\n"));
        assertThat(newDriver("--help").out()).contains("bin/new-driver NAME");
    }

    @Test
    void aPomWithoutThePlaceForDriversIsNamedAndNothingIsLeftBehind() throws Exception {
        Files.writeString(home.resolve("dist/pom.xml"), "<project/>\n");
        List<Path> before = files(home);
        Outcome outcome = newDriver("Zeta");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("new-driver: dist/pom.xml must have two lines '<!-- bin/new-driver adds");
        assertThat(files(home)).isEqualTo(before);
    }
}
