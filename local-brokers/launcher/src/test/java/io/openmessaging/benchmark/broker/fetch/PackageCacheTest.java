package io.openmessaging.benchmark.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.fetch.PackageSet.Release;
import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import io.openmessaging.benchmark.suite.TestProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with scripts instead of apt-get and dpkg. */
@StartsProcesses
class PackageCacheTest {

    private static final PackageSet SET = set("demo", Release.OF_THIS_MACHINE, "demo-server", "libdemo1");

    /** A script whose second argument is a configuration file; the folders named there are beside that file. */
    private static final String LISTS = """
            echo "apt-get $@" >>CALLS
            work=$(dirname "$2")
            if [ "$1" = indextargets ]; then echo http://a.mirror/debian-security; echo http://a.mirror/debian; exit; fi
            if [ "$4" = update ]; then touch "$work/lists/demo_main_Packages"; exit; fi
            """;

    private static final String WORKS = LISTS + """
            cp "$2" CALLS.conf
            [ ! -e "$work/sources.list" ] || cp "$work/sources.list" CALLS.sources
            touch "$work/archives/b.deb" "$work/archives/a.deb"
            """;

    /** A script that puts a library and a program into the folder that is its third argument. */
    private static final String UNPACKS = """
            echo "dpkg $1 $(basename "$2")" >>CALLS
            mkdir -p "$3/usr/bin" "$3/usr/lib/some-linux-gnu"
            touch "$3/usr/bin/demo-server" "$3/usr/lib/some-linux-gnu/ld-linux-some.so.2"
            """;

    @TempDir
    Path temp;

    private final List<String> progress = new ArrayList<>();

    private Path programs = Path.of("");

    @BeforeEach
    void makePrograms() throws Exception {
        programs = Files.createDirectory(temp.resolve("programs"));
        program("apt-get", WORKS);
        program("dpkg", UNPACKS);
    }

    @Test
    void fetchesOnFirstUseOnly() throws Exception {
        PackageSet.Unpacked packages = unpacked(SET);

        assertThat(packages.root()).isEqualTo(folder());
        assertThat(packages.root().resolve("usr/bin/demo-server")).exists();
        assertThat(unpacked(SET)).isEqualTo(packages);
        assertThat(progress).containsExactly("fetching the packages of Demo Broker, about 7 MB, once");
        assertThat(calls()).hasSize(4);
        assertThat(calls().get(0)).startsWith("apt-get -c ").endsWith(" -q update");
        assertThat(calls().get(1))
                .endsWith(" install --download-only --reinstall --no-install-recommends demo-server libdemo1");
        assertThat(calls().subList(2, 4)).containsExactly("dpkg -x a.deb", "dpkg -x b.deb");
        assertThat(folder().resolve(".fetch")).doesNotExist();
    }

    @Test
    void keepsAptAwayFromWhatBelongsToTheSystem() throws Exception {
        unpacked(SET);

        String work = folder() + ".part/.fetch";
        assertThat(Files.readAllLines(temp.resolve("calls.conf")))
                .contains(
                        "Dir::State::lists \"" + work + "/lists\";",
                        "Dir::Cache \"" + work + "\";",
                        "Dir::Cache::archives \"" + work + "/archives\";",
                        "Debug::NoLocking \"true\";",
                        "#clear APT::Update::Post-Invoke;");
    }

    @Test
    void fetchesAgainWhenOtherPackagesAreAskedFor() throws Exception {
        unpacked(SET);

        unpacked(set("demo", Release.OF_THIS_MACHINE, "demo-server"));

        assertThat(calls()).hasSize(8);
        assertThat(calls().get(5)).endsWith(" --no-install-recommends demo-server");
    }

    @Test
    void programsAreThoseOfDebian13WithAllThatTheyNeedFromWhereThisMachineGetsItsPackages() throws Exception {
        PackageSet.Unpacked packages = unpacked(set("demo", Release.DEBIAN_13, "demo-server"));

        String work = folder() + ".part/.fetch";
        assertThat(Files.readString(temp.resolve("calls.sources")))
                .matches("deb \\[signed-by=/.*debian-archive-keyring.gpg] http://a.mirror/debian trixie main\n");
        assertThat(Files.readAllLines(temp.resolve("calls.conf")))
                .contains(
                        "Dir::Etc::sourcelist \"" + work + "/sources.list\";",
                        "Dir::Etc::sourceparts \"/dev/null\";",
                        "Dir::State::status \"" + work + "/status\";");
        Path program = folder().resolve("usr/bin/demo-server");
        String libraries = folder().toRealPath() + "/usr/lib/some-linux-gnu";
        assertThat(packages.command(program))
                .containsExactly(
                        libraries + "/ld-linux-some.so.2",
                        "--library-path",
                        libraries,
                        "--argv0",
                        program.toString(),
                        program.toString());
    }

    @Test
    void aLoaderThatIsALinkLeadsToTheLibraries() throws Exception {
        program("dpkg", UNPACKS + "ln -sf some-linux-gnu/ld-linux-some.so.2 \"$3/usr/lib/ld-linux-some.so.2\"\n");

        assertThat(unpacked(set("demo", Release.DEBIAN_13, "demo-server")).command(Path.of("/p")))
                .startsWith(folder().toRealPath() + "/usr/lib/some-linux-gnu/ld-linux-some.so.2");
    }

    @Test
    void manyAtOnceFetchOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<PackageSet.Unpacked>> results = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                results.add(threads.submit(() -> unpacked(SET)));
            }
            for (Future<PackageSet.Unpacked> result : results) {
                assertThat(Patience.get("result", result).root()).isEqualTo(folder());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(calls()).hasSize(4);
    }

    @Test
    void saysWhyTheListsCannotBeHad() throws Exception {
        program("apt-get", "echo 'E: The list of sources could not be read.'; exit 100");

        assertFails("""
                cannot fetch Demo Broker: apt-get update ended with exit code 100; it says:
                  E: The list of sources could not be read.
                Instead, install Demo Broker so that demo-server is on the PATH, or point the driver file to a running broker""");
    }

    @Test
    void saysWhyThereAreNoLists() throws Exception {
        program("apt-get", "echo 'W: Failed to fetch a list  Could not resolve host'");

        assertFails("""
                cannot fetch Demo Broker: apt-get update found no packages; it says:
                  W: Failed to fetch a list  Could not resolve host
                Instead, install Demo Broker so that demo-server is on the PATH, or point the driver file to a running broker""");
    }

    @Test
    void saysWhyAPackageCannotBeHad() throws Exception {
        program("apt-get", LISTS + "echo 'E: Unable to locate package libdemo1'; exit 100");

        assertFails("""
                cannot fetch Demo Broker: apt-get ended with exit code 100; it says:
                  E: Unable to locate package libdemo1
                Instead, install Demo Broker so that demo-server is on the PATH, or point the driver file to a running broker""");
        program("apt-get", WORKS);
        assertThat(unpacked(SET).root().resolve("usr/bin/demo-server")).exists();
    }

    @Test
    void saysThatNothingWasDownloaded() throws Exception {
        program("apt-get", LISTS + "echo 'Nothing to do.'");

        assertFails("""
                cannot fetch Demo Broker: apt-get downloaded nothing; it says:
                  Nothing to do.
                Instead, install Demo Broker so that demo-server is on the PATH, or point the driver file to a running broker""");
    }

    @Test
    void saysWhyAPackageCannotBeUnpacked() throws Exception {
        program("dpkg", "echo 'dpkg: error: the disk has no room'; exit 2");

        assertThatThrownBy(() -> unpacked(SET))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("cannot fetch Demo Broker: dpkg ended with exit code 2; it says:\n"
                        + "  dpkg: error: the disk has no room\nInstead, ");
    }

    @Test
    void saysThatAptOrDpkgIsMissing() throws Exception {
        for (String missing : List.of("dpkg", "apt-get")) {
            Files.delete(programs.resolve(missing));

            assertFails(
                    "Demo Broker is not installed on this machine, and there is no " + missing + " to fetch it; install"
                            + " Demo Broker so that demo-server is on the PATH, or point the driver file to a running broker");
        }
    }

    private void assertFails(String message) {
        assertThatThrownBy(() -> unpacked(SET))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage(message);
        assertThat(folder()).doesNotExist();
        assertThat(folder().resolveSibling("demo.part")).doesNotExist();
    }

    private PackageSet.Unpacked unpacked(PackageSet set) throws Exception {
        return set.unpacked(temp.resolve("home"), new ProgramPath(List.of(programs)), progress::add);
    }

    private static PackageSet set(String name, Release release, String... packages) {
        return new PackageSet(
                name,
                "Demo Broker",
                List.of(packages),
                7,
                release,
                "install Demo Broker so that demo-server is on the PATH, or point the driver file to a running broker");
    }

    private void program(String name, String script) throws IOException {
        TestProgram.write(
                programs.resolve(name),
                script.replace("CALLS", temp.resolve("calls").toString()));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(temp.resolve("calls"));
    }

    private Path folder() {
        return temp.resolve("home/.brokers/packages/demo");
    }
}
