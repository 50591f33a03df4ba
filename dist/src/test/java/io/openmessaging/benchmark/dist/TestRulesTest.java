package io.openmessaging.benchmark.dist;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.timing.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.commons.annotation.Testable;

/**
 * Rules that keep the tests of all modules from failing on a slow machine. See docs/TESTING.md. Each rule is also
 * checked with an example that breaks it, so that a rule that finds nothing is noticed.
 */
class TestRulesTest {

    /** Most of the modules: the rules would miss the tests of a folder that is not in its expected place. */
    private static final int MODULES_WITH_TESTS = 20;

    private static final String PROJECT = "io.openmessaging.benchmark.";

    private static JavaClasses tests = new ClassFileImporter().importClasses();

    @BeforeAll
    static void importTests() throws IOException {
        List<Path> folders = new ArrayList<>();
        for (Path modules : List.of(Path.of(".."), Path.of("../local-brokers"))) {
            try (Stream<Path> all = Files.list(modules)) {
                all.map(module -> module.resolve("target/test-classes"))
                        .filter(Files::isDirectory)
                        .forEach(folders::add);
            }
        }
        assertThat(folders).as("modules with compiled tests").hasSizeGreaterThanOrEqualTo(MODULES_WITH_TESTS);
        folders.add(Path.of("../driver-testkit/target/classes"));
        folders.add(Path.of("../local-brokers/testkit/target/classes"));
        tests = new ClassFileImporter()
                .importPaths(folders)
                .that(DescribedPredicate.describe(
                        "are no examples", type -> !topLevel(type).equals(TestRulesTest.class.getName())));
    }

    private static String topLevel(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    /**
     * Asserts that all classes keep a rule, and that the rule finds an example that breaks it.
     *
     * @param example class that breaks the rule once with each of its methods
     */
    private static void assertKept(ArchRule rule, Class<?> example) {
        List<Class<?>> withNested = new ArrayList<>(List.of(example.getDeclaredClasses()));
        withNested.add(example);
        long methods = Stream.of(example.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .count();
        assertThat(rule.evaluate(new ClassFileImporter().importClasses(withNested))
                        .getFailureReport()
                        .getDetails())
                .as("what is found in " + example)
                .hasSize((int) methods);
        rule.check(tests);
    }

    private static DescribedPredicate<JavaAccess<?>> to(String what, Predicate<CodeUnitAccessTarget> target) {
        return DescribedPredicate.describe(
                what, access -> access.getTarget() instanceof CodeUnitAccessTarget unit && target.test(unit));
    }

    private static boolean isOf(CodeUnitAccessTarget target, String packageOrClass, Set<String> names) {
        return target.getOwner().getName().startsWith(packageOrClass) && names.contains(target.getName());
    }

    private static final ArchRule NO_TIME_LIMIT = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName(Timeout.class.getName())
            .orShould()
            .accessTargetWhere(to(
                    "assertTimeout",
                    target -> isOf(
                            target,
                            "org.junit.jupiter.api.Assertions",
                            Set.of("assertTimeout", "assertTimeoutPreemptively"))))
            .because("a machine that is slow enough exceeds any limit; Patience ends what hangs");

    @Test
    void noTestHasATimeLimitOfItsOwn() {
        assertKept(NO_TIME_LIMIT, TimeLimits.class);
    }

    static final class TimeLimits {
        @Timeout(1)
        void annotated() {}

        void asserted() {
            assertTimeout(Duration.ofSeconds(1), () -> {});
        }
    }

    /** Classes that wait by themselves, each with the reason. */
    private static final Map<String, String> WAIT_BY_THEMSELVES = Map.of(
            PROJECT + "driver.kafka.clients.FakeClient", "polls as the client does, which waits for messages",
            PROJECT + "driver.testkit.TinyDriver", "closes slowly where that is its defect",
            PROJECT + "driver.testkit.recovery.RecoveryFlow", "some systems need several times Patience to recover",
            PROJECT + "dist.Benchmark", "adds to Patience what runs are planned to take",
            PROJECT + "driver.testkit.Arrivals", "gives what has arrived at the limit that it is told",
            PROJECT + "driver.testkit.ClientContractTest", "its own tests shorten its patience",
            PROJECT + "driver.testkit.DriverContractTest", "its own tests shorten its patience",
            PROJECT + "driver.testkit.recovery.SteadySends", "pauses between two messages",
            PROJECT + "worker.remote.StrangersTest", "sends byte by byte, with pauses");

    private static final DescribedPredicate<JavaClass> WAITS_BY_ITSELF = DescribedPredicate.describe(
            "has a reason to wait by itself or is a program that tests start",
            type -> WAIT_BY_THEMSELVES.containsKey(topLevel(type)) || isProgram(type));

    private static boolean isProgram(JavaClass type) {
        return type.getEnclosingClass()
                .map(TestRulesTest::isProgram)
                .orElseGet(() -> type.tryGetMethod("main", String[].class).isPresent());
    }

    private static final Set<String> WITH_TIME_UNIT = Set.of(
            "await",
            "awaitTermination",
            "get",
            "invokeAll",
            "invokeAny",
            "offer",
            "poll",
            "tryAcquire",
            "tryLock",
            "waitFor");

    private static boolean waits(CodeUnitAccessTarget target) {
        List<String> parameters = HasName.Utils.namesOf(target.getRawParameterTypes());
        boolean timed = WITH_TIME_UNIT.contains(target.getName()) && parameters.contains(TimeUnit.class.getName());
        return timed && (isOf(target, "java.", WITH_TIME_UNIT))
                || isOf(target, "java.lang.Thread", Set.of("sleep"))
                || isOf(target, "java.util.concurrent.TimeUnit", Set.of("sleep", "timedJoin", "timedWait"))
                || isOf(target, "java.util.concurrent.locks.LockSupport", Set.of("parkNanos", "parkUntil"))
                || isOf(target, "java.lang.Thread", Set.of("join")) && !parameters.isEmpty()
                || isOf(target, "org.assertj.", Set.of("succeedsWithin", "failsWithin"))
                || isOf(target, "org.awaitility.core.ConditionFactory", Set.of("atMost", "timeout", "between"))
                || target.getOwner().getName().equals(Awaitility.class.getName());
    }

    private static final ArchRule PATIENCE_WAITS = noClasses()
            .that(DescribedPredicate.not(WAITS_BY_ITSELF))
            .should()
            .accessTargetWhere(to("a pause, or a wait with a limit", TestRulesTest::waits))
            .because("the limits of " + Patience.class.getName() + " grow with the machine's slowness");

    @Test
    void nobodyWaitsForATimeButThroughPatience() {
        assertKept(PATIENCE_WAITS, Waits.class);
    }

    @Test
    void whoMayWaitDoes() {
        assertThat(WAIT_BY_THEMSELVES.keySet())
                .allSatisfy(name ->
                        assertThat(tests.get(name).getAccessesFromSelf()).anyMatch(to("a wait", TestRulesTest::waits)));
    }

    static final class Waits {
        void latch(CountDownLatch latch) throws Exception {
            assertThat(latch.await(1, TimeUnit.SECONDS)).isTrue();
        }

        void future(Future<String> future) throws Exception {
            future.get(1, TimeUnit.SECONDS);
        }

        void completable(CompletableFuture<String> future) throws Exception {
            future.get(1, TimeUnit.SECONDS);
        }

        void asserted(CompletableFuture<String> future) {
            assertThat(future).succeedsWithin(Duration.ofSeconds(1));
        }

        void queue(BlockingQueue<String> queue) throws Exception {
            queue.poll(1, TimeUnit.SECONDS);
        }

        void thread(Thread thread) throws Exception {
            thread.join(1_000);
        }

        void process(Process process) throws Exception {
            assertThat(process.waitFor(1, TimeUnit.SECONDS)).isTrue();
        }

        void tasks(ExecutorService executor) throws Exception {
            assertThat(executor.awaitTermination(1, TimeUnit.SECONDS)).isTrue();
        }

        void condition(CountDownLatch latch) {
            Patience.await("it").atMost(Duration.ofSeconds(1)).until(() -> latch.getCount() == 0);
        }

        void conditionWithAwaitilitysLimit() {
            Awaitility.await();
        }

        void pause() throws Exception {
            Thread.sleep(1);
        }
    }

    private static final Set<String> READINGS =
            Set.of("nanoTime", "currentTimeMillis", "now", "systemUTC", "systemDefaultZone", "system");

    private static boolean readsAClock(CodeUnitAccessTarget target) {
        return isOf(target, "java.time.", READINGS) || isOf(target, "java.lang.System", READINGS);
    }

    private static boolean bounds(CodeUnitAccessTarget target) {
        return isOf(
                target,
                "org.assertj.",
                Set.of(
                        "isLessThan",
                        "isLessThanOrEqualTo",
                        "isBetween",
                        "isStrictlyBetween",
                        "isCloseTo",
                        "isBefore",
                        "isBeforeOrEqualTo"));
    }

    private static final ArchRule NO_UPPER_BOUND = classes()
            .should(new ArchCondition<>("assert no upper bound where they read a clock") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    type.getMethods().stream()
                            .filter(method -> method.isMetaAnnotatedWith(Testable.class))
                            .filter(method -> !isOfTimingSuite(method))
                            .forEach(method -> findBound(method)
                                    .ifPresent(found -> events.add(SimpleConditionEvent.violated(method, found))));
                }
            })
            .because("whatever is measured in real time takes longer on a slow machine; tests of that are @Timing");

    private static boolean isOfTimingSuite(JavaMethod method) {
        JavaClass type = method.getOwner();
        return method.isAnnotatedWith(Timing.class)
                || type.isAnnotatedWith(Timing.class)
                || type.getAllRawSuperclasses().stream().anyMatch(parent -> parent.isAnnotatedWith(Timing.class));
    }

    /** Describes what a test reads and what it asserts, if both are in it or in methods of its class that it calls. */
    private static Optional<String> findBound(JavaMethod test) {
        Set<JavaAccess<?>> accesses = accessesOf(test);
        return accesses.stream()
                .filter(to("a clock", TestRulesTest::readsAClock))
                .findFirst()
                .flatMap(read -> accesses.stream()
                        .filter(to("an upper bound", TestRulesTest::bounds))
                        .findFirst()
                        .map(bound -> test.getFullName() + " calls "
                                + read.getTarget().getName() + " in "
                                + read.getSourceCodeLocation() + " and "
                                + bound.getTarget().getName() + " in " + bound.getSourceCodeLocation()));
    }

    private static Set<JavaAccess<?>> accessesOf(JavaMethod test) {
        Set<JavaAccess<?>> accesses = new LinkedHashSet<>();
        Set<JavaCodeUnit> seen = new LinkedHashSet<>(Set.of(test));
        Deque<JavaCodeUnit> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            for (JavaAccess<?> access : open.pop().getAccessesFromSelf()) {
                accesses.add(access);
                if (access.getTarget() instanceof CodeUnitAccessTarget target) {
                    target.resolveMember()
                            .filter(called -> topLevel(called.getOwner()).equals(topLevel(test.getOwner())))
                            .filter(seen::add)
                            .ifPresent(open::push);
                }
            }
        }
        return accesses;
    }

    @Test
    void nothingMeasuredInRealTimeHasAnUpperBoundOutsideOfTiming() {
        assertKept(NO_UPPER_BOUND, Bounds.class);
    }

    static final class Bounds {
        @Test
        void inItself() {
            long before = System.nanoTime();
            assertThat(System.nanoTime() - before).isLessThan(1_000);
        }

        @Test
        void ofAClockThatItGives() {
            LongSupplier clock = System::currentTimeMillis;
            Optional.of(clock).ifPresent(given -> assertThat(given.getAsLong()).isBetween(1L, 2L));
        }

        @Test
        void inAnotherMethod() {
            Asserted.isEarly(Instant.now());
        }

        static final class Asserted {
            static void isEarly(Instant time) {
                assertThat(time).isBefore(Instant.MAX);
            }
        }
    }

    private static final ArchRule NO_TAG = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(Timing.class.getName())
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName(Tag.class.getName())
            .because("a misspelt tag is in no suite; there are annotations for them");

    @Test
    void suitesAreChosenByAnnotations() {
        assertKept(NO_TAG, Tagged.class);
    }

    static final class Tagged {
        @Tag("long")
        void tagged() {}
    }
}
