package io.openmessaging.benchmark;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.live.MetricsServer;
import io.openmessaging.benchmark.measure.LatencySummary;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.summary.CellSummary;
import io.openmessaging.benchmark.summary.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Rules that the dependencies between Maven modules do not enforce. See docs/DESIGN.md. */
@AnalyzeClasses(packages = "io.openmessaging.benchmark", importOptions = ArchitectureTest.MainCode.class)
class ArchitectureTest {

    /** Excludes other modules' tests, which come as folders or, once they are packaged, as jars. */
    static final class MainCode implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return new DoNotIncludeTests().includes(location) && !location.contains("-tests.jar");
        }
    }

    private static final String ROOT = "io.openmessaging.benchmark.";
    private static final String SPI = ROOT + "driver";
    private static final DescribedPredicate<JavaClass> THE_COMMAND_LINE = resideInAPackage(ROOT + "cli..");

    /** The jar of the local brokers' launcher shares the root of the package names but has rules of its own. */
    private static DescribedPredicate<JavaClass> ofTheFramework() {
        return resideInAPackage("io.openmessaging.benchmark..").and(not(resideInAnyPackage(SPI, ROOT + "broker..")));
    }

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching(ROOT + "(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NOBODY_KNOWS_A_DRIVER = noClasses()
            .that(ofTheFramework())
            .should()
            .dependOnClassesThat(resideInAPackage(SPI + ".*.."))
            .because("drivers are found in the folders of the distribution");

    /**
     * The launcher's jar also has limits, which others need, so a module boundary could not keep them from its
     * brokers.
     */
    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_KNOWS_BROKERS = noClasses()
            .that(ofTheFramework().and(not(THE_COMMAND_LINE)))
            .should()
            .dependOnClassesThat(resideInAPackage(ROOT + "broker.."));

    /** The command line can start and stop a broker, but does not know how that is done. */
    @ArchTest
    static final ArchRule THE_COMMAND_LINE_KNOWS_NO_LAUNCHER =
            noClasses().that(THE_COMMAND_LINE).should().dependOnClassesThat(resideInAPackage(ROOT + "broker.*.."));

    @ArchTest
    static final ArchRule ONLY_LIVE_SERVES = noClasses()
            .that(ofTheFramework().and(not(resideInAPackage(ROOT + "live"))))
            .should()
            .dependOnClassesThat(resideInAPackage("io.prometheus.."))
            .because("the server's classes are only loaded if figures are served");

    @ArchTest
    static final ArchRule ONLY_THE_PAGE_AND_WORKERS_KNOW_THE_HTTP_SERVER = noClasses()
            .that(ofTheFramework().and(not(resideInAnyPackage(ROOT + "live.page", ROOT + "worker.server"))))
            .should()
            .dependOnClassesThat(resideInAPackage("org.eclipse.jetty.."))
            .because("its classes are only loaded where something is served");

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_ENDS_THE_PROCESS = noClasses()
            .that(ofTheFramework().and(not(THE_COMMAND_LINE)))
            .should()
            .callMethod(System.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "halt", int.class);

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_HAS_A_CONSOLE = noClasses()
            .that(ofTheFramework().and(not(THE_COMMAND_LINE)))
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace");

    /** MetricsServer is exempt: it keeps a library that does so off the console. */
    @ArchTest
    static final ArchRule NOBODY_LOGS_PAST_SLF4J = noClasses()
            .that(ofTheFramework())
            .and(not(belongToAnyOf(MetricsServer.class)))
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("java.util.logging..", "org.apache.logging..", "org.apache.commons.logging.."));

    private static final int MAX_PARAMETERS = 7;

    /** Records that mirror a file: keys of YAML files, fields of results, a plan's manifest and summary. */
    private static final DescribedPredicate<JavaClass> MIRRORS_A_FILE = resideInAPackage(ROOT + "result..")
            .or(resideInAPackage(ROOT + "config..").and(assignableTo(Record.class)))
            .or(belongToAnyOf(
                    AuditReport.class, CellSummary.class, Estimate.class, LatencySummary.class, Manifest.class));

    @ArchTest
    static void aConstructorHasFewParameters(JavaClasses classes) {
        Set<String> found = classes.stream()
                .filter(ofTheFramework().and(not(MIRRORS_A_FILE)))
                .flatMap(type -> type.getConstructors().stream())
                .filter(constructor -> constructor.getRawParameterTypes().size() > MAX_PARAMETERS)
                .map(constructor -> constructor.getOwner().getName().substring(ROOT.length()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).as("with more than " + MAX_PARAMETERS + " parameters").isEmpty();
    }

    private static final int MAX_PACKAGE_LINES = 2500;

    @Test
    void noPackageIsTooLargeToBeReadAtOnce() throws IOException {
        Map<String, Long> lines = new TreeMap<>();
        for (Path file : mainFiles()) {
            try (Stream<String> read = Files.lines(file)) {
                lines.merge(String.valueOf(file.getParent()), read.count(), Long::sum);
            }
        }
        assertThat(lines).as("lines of all packages").hasSizeGreaterThan(MANY_PACKAGES);
        lines.values().removeIf(count -> count <= MAX_PACKAGE_LINES);
        assertThat(lines).as("with more than " + MAX_PACKAGE_LINES + " lines").isEmpty();
    }

    private static final int MANY_PACKAGES = 60;

    @Test
    void noTwoFilesHaveOneName() throws IOException {
        Map<String, List<Path>> files = new TreeMap<>(
                mainFiles().stream().collect(Collectors.groupingBy(file -> String.valueOf(file.getFileName()))));
        assertThat(files).as("names of all files").hasSizeGreaterThan(MANY_FILES);
        files.remove("package-info.java");
        files.values().removeIf(same -> same.size() == 1);
        assertThat(files).as("one name means one thing").isEmpty();
    }

    private static final int MANY_FILES = 500;

    /** The last column of a line in the glossary. */
    private static final Pattern IN_CODE = Pattern.compile("(?m)^\\|[^|`]+\\|[^|]+\\| (`[A-Z][^|]*`) \\|$");

    @Test
    void eachWordOfTheGlossaryIsTheNameOfSomething() throws IOException {
        String design = Files.readString(Path.of("../docs/DESIGN.md"));
        List<String> names = IN_CODE.matcher(design.substring(design.indexOf("## 6. Words")))
                .results()
                .flatMap(line -> Stream.of(line.group(1).replace("`", "").split(", ")))
                .toList();
        assertThat(names).as("names in the glossary").hasSizeGreaterThan(MANY_WORDS);
        List<Path> files = mainFiles();
        for (String name : names) {
            String[] typeAndMember = name.split("\\.");
            assertThat(files)
                    .filteredOn(file -> file.endsWith(typeAndMember[0] + ".java"))
                    .as(name)
                    .singleElement(InstanceOfAssertFactories.PATH)
                    .content()
                    .containsPattern("\\b" + typeAndMember[typeAndMember.length - 1] + "\\b");
        }
    }

    private static final int MANY_WORDS = 30;

    private static List<Path> mainFiles() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path module : modules()) {
            Path sources = module.resolve("src/main/java");
            if (Files.exists(sources)) {
                found.addAll(javaFiles(sources));
            }
        }
        return found;
    }

    /** Returns the folders of all modules that have sources. */
    static List<Path> modules() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path parent : List.of(Path.of(".."), Path.of("../local-brokers"))) {
            try (Stream<Path> entries = Files.list(parent)) {
                entries.filter(folder -> Files.exists(folder.resolve("pom.xml")) && Files.exists(folder.resolve("src")))
                        .forEach(found::add);
            }
        }
        return found;
    }

    private static List<Path> javaFiles(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    /**
     * Names such as publishLatencyAvg or aggregatedEndToEndLatency99pct, in a text, or parts from which they are
     * composed.
     */
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
            for (Path file : javaFiles(sources)) {
                List<String> into = file.startsWith(sources.resolve("result")) ? inResult : found;
                FLAT_NAME
                        .matcher(Files.readString(file))
                        .results()
                        .forEach(match -> into.add(file + ": " + match.group()));
            }
        }
        assertThat(found).isEmpty();
        assertThat(inResult).as("the pattern finds them where they are").isNotEmpty();
    }
}
