package io.openmessaging.benchmark.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.Processes;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import io.openmessaging.benchmark.suite.TestProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests with a script instead of Maven. */
@StartsProcesses
@Isolated("sets a property of the system")
class JarCacheTest {

    private static final JarSet SET = new JarSet("demo", "Demo Broker", "1.2", 7, "<the pom/>");

    /** A script that records its arguments and puts two jars beside the POM, its fourth argument. */
    private static final String WORKS = """
            echo "$@" >>calls
            dir=$(dirname "$4")
            touch "$dir/b.jar" "$dir/a.jar"
            """;

    @TempDir
    Path home;

    private final List<String> progress = new ArrayList<>();

    @Test
    void fetchesOnFirstUseOnly() throws Exception {
        maven(WORKS);

        List<Path> jars = jars(SET);

        assertThat(jars).containsExactly(jar("a.jar"), jar("b.jar"));
        assertThat(jars).allSatisfy(jar -> assertThat(jar).exists());
        assertThat(jars(SET)).isEqualTo(jars);
        assertThat(progress).containsExactly("fetching Demo Broker 1.2, about 7 MB, once");
        assertThat(calls())
                .singleElement()
                .asString()
                .startsWith("-B -q -f /")
                .endsWith(" dependency:copy-dependencies");
        assertThat(jarFolder()).isDirectoryNotContaining("glob:**.log");
    }

    @Test
    void fetchesAgainWhenOtherJarsAreAskedFor() throws Exception {
        maven(WORKS);
        jars(SET);

        jars(new JarSet("demo", "Demo Broker", "1.2", 7, "<another pom/>"));

        assertThat(calls()).hasSize(2);
        assertThat(jarFolder().resolve("pom.xml")).hasContent("<another pom/>");
    }

    @Test
    void manyAtOnceFetchOnce() throws Exception {
        maven(WORKS);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Path>>> results = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                results.add(threads.submit(() -> jars(SET)));
            }
            for (Future<List<Path>> result : results) {
                assertThat(Patience.get("result", result)).hasSize(2);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(calls()).hasSize(1);
    }

    @Test
    void aFailureIsOneMessageWithMavensReason() throws Exception {
        maven("""
                touch "$(dirname "$4")/half.jar"
                echo "[ERROR] Failed to execute goal: Could not find artifact org.demo:demo:jar:1.2 -> [Help 1]"
                echo "[ERROR] "
                echo "[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch."
                echo "[ERROR] Re-run Maven using the -X switch to enable full debug logging."
                exit 1
                """);

        assertThatThrownBy(() -> jars(SET))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("cannot fetch Demo Broker 1.2: Maven ended with exit code 1; it says:\n")
                .hasMessageContaining("Could not find artifact org.demo:demo:jar:1.2")
                .hasMessageNotContaining("-e switch");

        assertThat(jarFolder()).doesNotExist();
        maven(WORKS);
        assertThat(jars(SET)).containsExactly(jar("a.jar"), jar("b.jar"));
    }

    @Test
    void whatADownloadCutShortHasLeftIsNotUsed() throws Exception {
        maven(WORKS);
        Path part = Files.createDirectories(jarFolder().resolveSibling("demo-1.2.part"));
        Files.createFile(part.resolve("half.jar"));

        assertThat(jars(SET)).containsExactly(jar("a.jar"), jar("b.jar"));
        assertThat(part).doesNotExist();
    }

    @Test
    void anInterruptEndsMaven() throws Exception {
        maven("touch started; sleep 600");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread fetching = new Thread(() -> {
            try {
                jars(SET);
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        fetching.start();
        Patience.await("start of Maven").until(() -> Files.exists(home.resolve("started")));

        fetching.interrupt();
        Patience.join(fetching);

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        Processes.awaitNoneNaming(home);
        assertThat(jarFolder().resolveSibling("demo-1.2.part")).doesNotExist();
    }

    @Test
    void mavenHasALimit() throws Exception {
        maven("exec sleep 600");

        assertThatThrownBy(() -> SET.fetched(home, progress::add, Duration.ofSeconds(1)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageContaining("Maven did not end within 1 s");
    }

    @Test
    void usesTheLocalRepositoryOfTheRunningBuild() throws Exception {
        maven(WORKS);
        String key = "maven.repo.local";
        @Nullable String before = System.getProperty(key);
        System.setProperty(key, "/some/repository");
        try {
            jars(SET);
        } finally {
            if (before == null) {
                System.clearProperty(key);
            } else {
                System.setProperty(key, before);
            }
        }
        assertThat(calls()).singleElement().asString().contains(" -Dmaven.repo.local=/some/repository ");
    }

    @Test
    void saysThatMavenIsMissing() {
        assertThatThrownBy(() -> jars(SET))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("cannot fetch Demo Broker: there is no program " + home.resolve("mvnw"));
    }

    private List<Path> jars(JarSet set) throws Exception {
        return set.fetched(home, progress::add);
    }

    private void maven(String script) throws IOException {
        TestProgram.write(home.resolve("mvnw"), script);
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(home.resolve("calls"));
    }

    private Path jarFolder() {
        return home.resolve(".brokers/jars/demo-1.2");
    }

    private Path jar(String name) {
        return jarFolder().resolve(name);
    }
}
