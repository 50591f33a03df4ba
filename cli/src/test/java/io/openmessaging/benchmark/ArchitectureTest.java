package io.openmessaging.benchmark;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.load.Arrivals;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The directions between packages, and what only one of them may do. See docs/DESIGN.md. */
@AnalyzeClasses(packages = "io.openmessaging.benchmark", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "io.openmessaging.benchmark.";
    private static final String SPI = ROOT + "driver";
    private static final String[] OF_EVERYBODY = {"java..", "javax..", "com.sun.management..", "org.jspecify.."};

    private static DescribedPredicate<JavaClass> anyOf(String... packages) {
        return resideInAnyPackage(packages);
    }

    /** What a package may depend on: itself, the JDK, and what is named. */
    private static ArchRule mayUse(String packageName, String... packages) {
        return mayUse(packageName, DescribedPredicate.alwaysFalse(), packages);
    }

    private static ArchRule mayUse(
            String packageName, DescribedPredicate<? super JavaClass> exceptions, String... packages) {
        return classes()
                .that()
                .resideInAPackage(ROOT + packageName)
                .should()
                .onlyDependOnClassesThat(anyOf(OF_EVERYBODY)
                        .or(resideInAPackage(ROOT + packageName))
                        .or(anyOf(packages))
                        .or(exceptions))
                .because("cli → coordinator → worker → load → audit → measure, coordinator → result → measure; config"
                        + " and limits are leaves; claims → summary → plan → result");
    }

    @ArchTest
    static final ArchRule LIMITS_IS_A_LEAF = mayUse("limits");

    @ArchTest
    static final ArchRule BINDING_IS_A_LEAF = mayUse(
            "binding",
            JavaClass.Predicates.belongToAnyOf(Problems.class, Checked.class),
            "tools.jackson..",
            "com.fasterxml.jackson..",
            "org.snakeyaml..");

    @ArchTest
    static final ArchRule CONFIG_KNOWS_NO_RUN = mayUse(
            "config",
            // How messages are spread over time and keys is a matter of the load.
            JavaClass.Predicates.belongToAnyOf(Problems.class, Checked.class, Arrivals.class, KeyDistribution.class),
            ROOT + "binding",
            ROOT + "limits",
            ROOT + "measure",
            ROOT + "metric",
            "tools.jackson..",
            "com.fasterxml.jackson..",
            "org.snakeyaml..");

    @ArchTest
    static final ArchRule METRIC_IS_A_TABLE = mayUse("metric", ROOT + "measure", "tools.jackson..");

    @ArchTest
    static final ArchRule MEASURE_USES_HISTOGRAMS_ONLY = mayUse("measure", "org.HdrHistogram..");

    @ArchTest
    static final ArchRule AUDIT_USES_BITMAPS_ONLY = mayUse("audit", "org.roaringbitmap..", ROOT + "measure");

    @ArchTest
    static final ArchRule LOAD_SENDS_AND_RECEIVES = mayUse("load", SPI, ROOT + "audit", ROOT + "measure");

    @ArchTest
    static final ArchRule WORKER_PUTS_LOAD_ON =
            mayUse("worker", SPI, ROOT + "binding", ROOT + "load", ROOT + "audit", ROOT + "measure", "org.slf4j..");

    @ArchTest
    static final ArchRule RESOURCES_READS_THE_MACHINE =
            mayUse("resources", SPI, ROOT + "limits", ROOT + "measure", "oshi..", "org.slf4j..");

    @ArchTest
    static final ArchRule RESULT_IS_A_MODEL = mayUse(
            "result",
            SPI,
            ROOT + "config",
            ROOT + "audit",
            ROOT + "measure",
            ROOT + "limits",
            ROOT + "resources",
            "org.HdrHistogram..");

    @ArchTest
    static final ArchRule RESULT_IS_WRITTEN = mayUse(
            "result.file",
            // The layout of the headers is one of the things that a result tells.
            JavaClass.Predicates.belongToAnyOf(MessageHeader.class),
            ROOT + "result",
            SPI,
            ROOT + "binding",
            ROOT + "config",
            ROOT + "audit",
            ROOT + "metric",
            ROOT + "measure",
            ROOT + "limits",
            ROOT + "resources",
            "org.HdrHistogram..",
            "tools.jackson..",
            "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule RESULT_IS_SHOWN = mayUse(
            "result.console",
            ROOT + "result",
            ROOT + "result.file",
            SPI,
            ROOT + "config",
            ROOT + "audit",
            ROOT + "metric",
            ROOT + "measure",
            ROOT + "resources",
            "org.HdrHistogram..");

    @ArchTest
    static final ArchRule RESULTS_ARE_COMPARED_BY_THEIR_FILES = mayUse(
            "result.compare",
            ROOT + "result",
            ROOT + "result.file",
            ROOT + "metric",
            ROOT + "resources",
            "tools.jackson..",
            "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule PLAN_KNOWS_FILES_ONLY = mayUse(
            "plan",
            JavaClass.Predicates.belongToAnyOf(Problems.class),
            ROOT + "binding",
            ROOT + "config",
            ROOT + "result..",
            "tools.jackson..",
            "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule SUMMARY_COUNTS_RUNS = mayUse(
            "summary",
            ROOT + "plan",
            ROOT + "result..",
            "org.apache.commons.statistics..",
            "tools.jackson..",
            "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule CLAIMS_JUDGE_SUMMARIES = mayUse(
            "claims",
            JavaClass.Predicates.belongToAnyOf(Problems.class),
            ROOT + "binding",
            ROOT + "config",
            ROOT + "plan",
            ROOT + "result..",
            ROOT + "summary",
            "tools.jackson..",
            "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule COORDINATOR_KNOWS_WORKERS_AND_RESULTS = mayUse(
            "coordinator",
            SPI,
            ROOT + "binding",
            ROOT + "config",
            ROOT + "worker",
            ROOT + "load",
            ROOT + "audit",
            ROOT + "metric",
            ROOT + "measure",
            ROOT + "limits",
            ROOT + "resources",
            ROOT + "result",
            "org.HdrHistogram..",
            "org.slf4j..");

    @ArchTest
    static final ArchRule LIVE_SERVES_WHAT_A_RUN_TELLS = mayUse(
            "live",
            ROOT + "coordinator",
            ROOT + "audit",
            ROOT + "measure",
            ROOT + "resources",
            ROOT + "result",
            ROOT + "binding",
            ROOT + "config",
            "org.HdrHistogram..",
            "io.prometheus..");

    @ArchTest
    static final ArchRule ONLY_LIVE_SERVES = noClasses()
            .that(ofTheFramework().and(not(resideInAPackage(ROOT + "live"))))
            .should()
            .dependOnClassesThat(resideInAPackage("io.prometheus.."));

    /** Of brokers it knows how to start and stop one, not how that is done. */
    @ArchTest
    static final ArchRule CLI_KNOWS_NO_BROKER = noClasses()
            .that()
            .resideInAPackage(ROOT + "cli")
            .should()
            .dependOnClassesThat(resideInAPackage(ROOT + "broker..").and(not(resideInAPackage(ROOT + "broker"))));

    @ArchTest
    static final ArchRule NOBODY_KNOWS_THE_COMMAND_LINE = noClasses()
            .that(ofTheFramework().and(not(resideInAPackage(ROOT + "cli"))))
            .should()
            .dependOnClassesThat(anyOf(ROOT + "cli..", ROOT + "broker..", "picocli.."));

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching(ROOT + "(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NOBODY_KNOWS_A_DRIVER = noClasses()
            .that(ofTheFramework())
            .should()
            .dependOnClassesThat(resideInAPackage(SPI + ".*.."))
            .because("drivers are found in the folders of the distribution");

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_ENDS_THE_PROCESS = noClasses()
            .that(ofTheFramework().and(not(resideInAPackage(ROOT + "cli"))))
            .should()
            .callMethod(System.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "halt", int.class);

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_HAS_A_CONSOLE = noClasses()
            .that(ofTheFramework().and(not(resideInAPackage(ROOT + "cli"))))
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace");

    @ArchTest
    static final ArchRule NOBODY_LOGS_PAST_SLF4J = noClasses()
            .that(ofTheFramework())
            .should()
            .dependOnClassesThat(anyOf("java.util.logging..", "org.apache.logging..", "org.apache.commons.logging.."));

    /** The jar of the local brokers' launcher shares the root of the package names, but has rules of its own. */
    private static DescribedPredicate<JavaClass> ofTheFramework() {
        return resideInAPackage("io.openmessaging.benchmark..").and(not(anyOf(SPI, ROOT + "broker..")));
    }

    /** Names such as publishLatencyAvg or aggregatedEndToEndLatency99pct, in a text, or parts of which they are put together. */
    private static final Pattern FLAT_NAME = Pattern.compile(
            "\"[^\"\\n]*(publishLatency|publishDelayLatency|endToEndLatency|publishRate|publishErrorRate|consumeRate"
                    + "|aggregated[A-Z]|\\dpct)[^\"\\n]*\"|\"(?-i:Latency)\"",
            Pattern.CASE_INSENSITIVE);

    @Test
    void onlyPackageResultKnowsOmbsFlatNames() throws IOException {
        List<String> found = new ArrayList<>();
        List<String> inResult = new ArrayList<>();
        for (String module : List.of("worker", "benchmark-framework", "studies", "cli")) {
            Path sources = Path.of("..", module, "src/main/java/io/openmessaging/benchmark");
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    List<String> into = file.startsWith(sources.resolve("result")) ? inResult : found;
                    FLAT_NAME
                            .matcher(Files.readString(file))
                            .results()
                            .forEach(match -> into.add(file + ": " + match.group()));
                }
            }
        }
        assertThat(found).isEmpty();
        assertThat(inResult).as("the pattern finds them where they are").isNotEmpty();
    }
}
