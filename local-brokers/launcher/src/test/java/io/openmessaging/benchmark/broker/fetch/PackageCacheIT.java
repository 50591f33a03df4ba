package io.openmessaging.benchmark.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.suite.LongSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with the real apt-get, and a package of a few kilobytes that is a library. */
@LongSuite("fetches the lists of packages, as the first start of a broker does")
class PackageCacheIT {

    @TempDir
    Path temp;

    @Test
    void fetchesAPackageThatNeedNotBeInstalled() throws Exception {
        PackageSet.Unpacked packages = unpacked(set("liblzf1"));

        try (Stream<Path> files = Files.walk(packages.root())) {
            Path library = files.filter(file -> file.toString().endsWith("/liblzf.so.1"))
                    .findFirst()
                    .orElseThrow();
            assertThat(library).isNotEmptyFile();
        }
    }

    @Test
    void aPackageThatDoesNotExistIsOneMessage() {
        assertThatThrownBy(() -> unpacked(set("no-such-package-anywhere")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("cannot fetch Demo Broker: apt-get ended with exit code 100; it says:\n")
                .hasMessageContaining("Unable to locate package no-such-package-anywhere");

        assertThat(temp.resolve("a home/.brokers/packages/demo")).doesNotExist();
    }

    /** Uses a folder with a blank in its name, as a user's may have. */
    private PackageSet.Unpacked unpacked(PackageSet set) throws Exception {
        return set.unpacked(temp.resolve("a home"), ProgramPath.ofThisMachine(), text -> {});
    }

    private static PackageSet set(String name) {
        return new PackageSet(
                "demo", "Demo Broker", List.of(name), 10, PackageSet.Release.OF_THIS_MACHINE, "do without it");
    }
}
