package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Effects of the environment on the start scripts, before there is a JVM. */
class StartScriptIT extends WithBenchmark {

    private static final String WORKLOAD = ONE_OF_EACH + """
        producerRate: 50
        warmupDuration: 0s
        testDuration: 1s
        """;

    private Benchmark.Outcome in(List<String> environment, Path folder, String... arguments)
            throws IOException, InterruptedException {
        Benchmark there = new Benchmark(folder);
        return there.await(there.start(environment, "bin/benchmark", "", arguments));
    }

    /** Cron, systemd and containers start with such a locale. */
    @Test
    void aLocaleThatCannotSpellAPathIsReplaced() throws Exception {
        Path spelt = Files.createDirectory(folder.resolve("ünï"));
        Files.writeString(spelt.resolve("w.yaml"), WORKLOAD);
        List<String> posix = List.of("env", "-u", "LANG", "LC_ALL=POSIX");

        Benchmark.Outcome outcome = in(posix, spelt, "--dry-run", "-o", "ö.json", "-d", "inmemory", "w.yaml");
        assertThat(outcome.exitCode()).as(outcome.all()).isZero();

        Benchmark.Outcome absolute = in(posix, folder, "--dry-run", "-d", "inmemory", spelt + "/w.yaml");
        assertThat(absolute.exitCode()).as(absolute.all()).isZero();
        assertThat(absolute.out()).contains("ünï/w.yaml");
    }

    @Test
    void theVersionNamesACommit() throws Exception {
        Benchmark.Outcome outcome = in(List.of("env"), folder, "--version");
        assertThat(outcome.out()).matches("benchmark \\S+\\+([0-9a-f]{12}(\\.dirty)?|unknown)\n");
    }

    @Test
    void onlyACheckoutHasACommitAndOnlyChangesOfItsFilesMakeItDirty() throws Exception {
        Process bash = new ProcessBuilder("bash", "-ec", """
                . "$0/bin/environment.sh"
                commit_of "$PWD"
                git init -q; echo a >a; git add a; commit_of "$PWD"
                git -c user.name=a -c user.email=a@b commit -q -m a; commit_of "$PWD"
                echo b >b; commit_of "$PWD" -- "$PWD/a"; commit_of "$PWD" --untracked-files=no; commit_of "$PWD"
                mkdir inside; commit_of "$PWD/inside"
                echo c >a; commit_of "$PWD" -- "$PWD/a"
                """, Benchmark.HOME.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String told = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(Patience.exitCode("bash", bash)).as(told).isZero();
        assertThat(told.lines().map(line -> line.replaceFirst("^[0-9a-f]{12}", "C")))
                .containsExactly("unknown", "unknown", "C", "C", "C", "C.dirty", "unknown", "C.dirty");
    }

    @Test
    void aStaleJavaHomeIsNamed() throws Exception {
        Benchmark.Outcome outcome = in(List.of("env", "JAVA_HOME=/nonexistent"), folder, "--version");
        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.err())
                .isEqualTo("benchmark: JAVA_HOME is /nonexistent, which has no bin/java: set it to the folder of"
                        + " Java 17 or newer, or unset it to use the java on the PATH\n");
    }

    @Test
    void anOldJavaIsNamed() throws Exception {
        Path old = Files.createDirectories(folder.resolve("jdk/bin"));
        Path java = Files.writeString(old.resolve("java"), "#!/bin/sh\nexit 9\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"1.8.0_412\"\n");
        Benchmark.Outcome outcome = in(List.of("env", "JAVA_HOME=" + folder.resolve("jdk")), folder, "--version");
        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.err()).contains("Java 17 or newer is needed; ", "/jdk/bin/java is version 8: set JAVA_HOME");
    }
}
