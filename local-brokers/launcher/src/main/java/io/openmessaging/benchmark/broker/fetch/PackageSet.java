package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Debian packages of a broker that is not a Java program. They are kept unpacked in {@code .brokers/packages} of
 * the project's home folder; {@code apt-get} fetches them on first use from the sources of this machine. Nothing is
 * installed and nothing in the system changes, so neither root nor package lists are needed. Several processes may use
 * the same packages concurrently; an incomplete download is never used. {@code apt-get} reads the system's configured
 * sources and keys, but writes only into a folder of ours.
 *
 * @param name the folder they are unpacked to, such as {@code redis}
 * @param product such as {@code Redis}, for messages
 * @param packages their names, without their dependencies, which are fetched as well
 * @param sizeMb approximate size of the download, including 10 MB of package lists
 * @param release the release that they come from
 * @param instead what a user can do without them, as the end of a sentence
 */
public record PackageSet(
        String name, String product, List<String> packages, int sizeMb, Release release, String instead) {

    /** The Debian release that packages come from. */
    public enum Release {
        /**
         * This machine's own, without packages already installed: for libraries that a program of this machine loads.
         */
        OF_THIS_MACHINE,

        /**
         * Debian 13, whatever this machine runs, including the C library: for programs, which are then the same
         * everywhere and newer than on most machines.
         */
        DEBIAN_13
    }

    /** The file beside the unpacked packages that identifies them. */
    private static final String KEY = "packages.txt";

    private static final Path SYSTEM = Path.of("/etc/os-release");

    private static final Path DEBIAN_KEYS = Path.of("usr/share/keyrings/debian-archive-keyring.gpg");

    private static final PackageSet KEYS = new PackageSet(
            "debian-archive-keyring",
            "the keys of Debian",
            List.of("debian-archive-keyring"),
            10,
            Release.OF_THIS_MACHINE,
            "install the package debian-archive-keyring");

    private static final String APT_GET = "apt-get";

    private static final String DPKG = "dpkg";

    private static final String DEBIAN_ARCHIVE = "http://deb.debian.org/debian";

    /** The C library is in {@code usr/lib} or in the subfolder of an architecture. */
    private static final int LOADER_DEPTH = 2;

    /** Name of the dynamic loader, which loads a program and its libraries. */
    private static final Pattern LOADER = Pattern.compile("ld-linux.*\\.so\\.\\d+");

    /**
     * Keeps apt away from the system's own lists, archives and locks, and from the commands that the system runs after
     * an update of its lists. The placeholders are the folders for lists, for everything else, and for archives.
     */
    private static final String CONFIGURATION = """
            Dir::State::lists "%s";
            Dir::Cache "%s";
            Dir::Cache::archives "%s";
            Debug::NoLocking "true";
            APT::Sandbox::User "root";
            #clear APT::Update::Pre-Invoke;
            #clear APT::Update::Post-Invoke;
            #clear APT::Update::Post-Invoke-Success;
            Acquire::Languages "none";
            Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
            Acquire::Retries "2";
            """;

    /** Ignores the system's sources, preferences and installed packages. All three placeholders are the same folder. */
    private static final String OTHER_RELEASE = """
            Dir::Etc::sourcelist "%s/sources.list";
            Dir::Etc::sourceparts "/dev/null";
            Dir::Etc::preferences "/dev/null";
            Dir::Etc::preferencesparts "/dev/null";
            Dir::State::status "%s/status";
            Dir::State::extended_states "%s/extended_states";
            """;

    /** English messages, which users can search for. */
    private static final Map<String, String> ENVIRONMENT = Map.of("LC_ALL", "C", "DEBIAN_FRONTEND", "noninteractive");

    /**
     * Packages unpacked into a folder as if it were {@code /}, without being installed.
     *
     * @param root that folder, absolute
     */
    public record Unpacked(Path root) {

        /**
         * Returns the start of a command line that runs a program from the folder with the C library and all other
         * libraries from there. Programs that it starts in turn, such as the system's shell, are not affected.
         *
         * @param program its absolute path below the root
         */
        public List<String> command(Path program) throws LocalBrokerException {
            Path loader = loader();
            String libraries = loader.resolveSibling("").toString();
            String name = program.toString();
            return List.of(loader.toString(), "--library-path", libraries, "--argv0", name, name);
        }

        private Path loader() throws LocalBrokerException {
            try (Stream<Path> files = Files.walk(root.resolve("usr/lib"), LOADER_DEPTH)) {
                Path loader = files.filter(file -> LOADER.matcher(String.valueOf(file.getFileName()))
                                .matches())
                        .findFirst()
                        .orElseThrow(() -> new LocalBrokerException("cannot find a C library below " + root));
                // On some architectures, the loader is a link into the folder of the libraries.
                return loader.toRealPath();
            } catch (IOException e) {
                throw new LocalBrokerException("cannot read the packages in " + root + ": " + e, e);
            }
        }
    }

    /** Returns whether this machine has the tools to fetch and unpack packages. */
    public static boolean canBeFetched(ProgramPath programs) {
        return programs.find(APT_GET).isPresent() && programs.find(DPKG).isPresent();
    }

    /**
     * Offers a broker from these packages, or from the program of this machine if they cannot be fetched.
     *
     * @param program its name on the PATH
     */
    public LocalBroker.Offer offer(String program, ProgramPath programs) {
        if (canBeFetched(programs)) {
            return new LocalBroker.Offer(product + ", from the packages of Debian 13", Optional.empty());
        }
        Optional<String> obstacle = programs.find(program).isPresent()
                ? Optional.empty()
                : Optional.of("neither apt-get nor " + program + " is on the PATH: " + instead);
        return new LocalBroker.Offer(product + ", as installed on this machine", obstacle);
    }

    /**
     * Returns the unpacked packages. Blocks while this process or another one fetches them.
     *
     * @param home a checkout or an unpacked release
     * @param programs the PATH that is searched for {@code apt-get} and {@code dpkg}
     * @param progress receives a sentence when a download starts
     */
    public Unpacked unpacked(Path home, ProgramPath programs, Consumer<String> progress)
            throws LocalBrokerException, InterruptedException {
        Path root =
                home.toAbsolutePath().resolve(".brokers").resolve("packages").resolve(name);
        try {
            new FetchedFolder(root, product, KEY, content()).fill(part -> fetch(part, home, programs, progress));
            return new Unpacked(root);
        } catch (IOException e) {
            throw new LocalBrokerException("cannot read the packages of " + product + " in " + root + ": " + e, e);
        }
    }

    /**
     * Names the system's version for packages of this machine, so that an upgrade, which changes its libraries, makes
     * them fetched again.
     */
    private String content() throws IOException {
        return (release == Release.DEBIAN_13 ? "Debian 13" : system()) + "\n" + String.join("\n", packages) + "\n";
    }

    private static String system() throws IOException {
        List<String> system = Files.exists(SYSTEM) ? Files.readAllLines(SYSTEM) : List.of();
        return system.stream()
                .filter(line -> line.startsWith("ID=") || line.startsWith("VERSION_ID="))
                .collect(Collectors.joining(" "));
    }

    /** Unpacks the packages, and those of their dependencies that this machine lacks, into a folder. */
    private void fetch(Path root, Path home, ProgramPath programs, Consumer<String> progress)
            throws IOException, LocalBrokerException, InterruptedException {
        String aptGet = tool(APT_GET, programs);
        String dpkg = tool(DPKG, programs);
        Path workFolder = Files.createDirectory(root.resolve(".fetch"));
        Path lists = workFolder.resolve("lists");
        Path archives = workFolder.resolve("archives");
        Files.createDirectories(lists.resolve("partial"));
        Files.createDirectories(archives.resolve("partial"));
        String configuration = CONFIGURATION.formatted(lists, workFolder, archives);
        if (release == Release.DEBIAN_13) {
            String source = "deb [signed-by=%s] %s trixie main%n"
                    .formatted(keys(home, programs, progress), mirror(aptGet, workFolder));
            Files.writeString(workFolder.resolve("sources.list"), source);
            Files.createFile(workFolder.resolve("status"));
            configuration += OTHER_RELEASE.formatted(workFolder, workFolder, workFolder);
        }
        progress.accept("fetching the packages of " + product + ", about " + sizeMb + " MB, once");
        Path file = Files.writeString(workFolder.resolve("apt.conf"), configuration);
        List<String> apt = List.of(aptGet, "-c", file.toString(), "-q");
        List<String> said = call("apt-get update", apt, workFolder, "update");
        // One source of several may fail; with none left, the next command would not say why it finds no package.
        if (filesIn(lists, "_Packages").isEmpty()) {
            throw failure("apt-get update found no packages" + Tool.saying(said));
        }
        // Without --reinstall, apt would not download a package that is installed while others are missing.
        List<String> install = new ArrayList<>(apt);
        install.addAll(List.of("-y", "install", "--download-only", "--reinstall", "--no-install-recommends"));
        said = call(APT_GET, install, workFolder, packages.toArray(String[]::new));
        List<Path> downloaded = filesIn(archives, ".deb");
        if (downloaded.isEmpty()) {
            throw failure("apt-get downloaded nothing" + Tool.saying(said));
        }
        for (Path archive : downloaded) {
            call(DPKG, List.of(dpkg, "-x"), workFolder, archive.toString(), root.toString());
        }
        FileTree.delete(workFolder);
    }

    /** Returns Debian's signing keys: this machine's, or else those in the keyring package of its own release. */
    private static Path keys(Path home, ProgramPath programs, Consumer<String> progress)
            throws LocalBrokerException, InterruptedException {
        Path installed = Path.of("/").resolve(DEBIAN_KEYS);
        return Files.exists(installed)
                ? installed
                : KEYS.unpacked(home, programs, progress).root().resolve(DEBIAN_KEYS);
    }

    /** Returns the mirror of Debian that this machine uses, or the main archive if it uses none. */
    private String mirror(String aptGet, Path workFolder)
            throws IOException, LocalBrokerException, InterruptedException {
        return call(APT_GET, List.of(aptGet), workFolder, "indextargets", "--format", "$(REPO_URI)").stream()
                .filter(uri -> uri.matches(".*/debian/?"))
                .findFirst()
                .orElse(DEBIAN_ARCHIVE);
    }

    private static List<Path> filesIn(Path folder, String part) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().contains(part))
                    .sorted()
                    .toList();
        }
    }

    private List<String> call(String name, List<String> command, Path workFolder, String... arguments)
            throws IOException, LocalBrokerException, InterruptedException {
        try {
            return new Tool(name, command, ENVIRONMENT, workFolder, FetchedFolder.LIMIT).run(arguments);
        } catch (LocalBrokerException e) {
            throw failure(String.valueOf(e.getMessage()));
        }
    }

    private LocalBrokerException failure(String what) {
        return new LocalBrokerException("cannot fetch " + product + ": " + what + "\nInstead, " + instead);
    }

    private String tool(String tool, ProgramPath programs) throws LocalBrokerException {
        return programs.find(tool)
                .map(Path::toString)
                .orElseThrow(() -> new BrokerUnavailableException(
                        product + " is not installed on this machine, and there is no " + tool + " to fetch it; "
                                + instead,
                        null));
    }
}
