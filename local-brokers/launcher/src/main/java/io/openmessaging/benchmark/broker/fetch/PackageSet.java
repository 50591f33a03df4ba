package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Debian packages of a broker that is no Java program. They are kept unpacked in {@code .brokers/packages} of the
 * project's home folder and fetched there on first use by {@code apt-get}, from wherever this machine gets its packages.
 * Nothing is installed and nothing of the system is changed: neither root nor package lists are needed. Several processes
 * may use the same packages at the same time; a download that was cut short is never used. {@code apt-get} reads the
 * system's choice of sources and keys, and what is installed; all that it writes is in a folder of ours.
 *
 * @param name the folder they are unpacked to, such as {@code redis}
 * @param product such as {@code Redis}, for messages
 * @param program the program that makes them unnecessary if it is on this machine, such as {@code redis-server}
 * @param packages their names. What they depend on and this machine lacks comes along
 * @param sizeMb how much is to be downloaded, about, including 10 MB of package lists
 */
public record PackageSet(String name, String product, String program, List<String> packages, int sizeMb) {

    /** The file beside the unpacked packages that tells what they are. */
    private static final String KEY = "packages.txt";

    private static final Path SYSTEM = Path.of("/etc/os-release");

    private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";

    private static final Pattern LIBRARY = Pattern.compile("lib.+\\.so\\..+");

    /**
     * Keeps apt away from the system's own lists, archives and locks, and from the commands that the system wants to be
     * run after an update of its lists. It is told the folders for lists, for all, and for archives.
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

    /** In words that a reader of the message, and not only of the machine's language, can search for. */
    private static final Map<String, String> ENVIRONMENT = Map.of("LC_ALL", "C", "DEBIAN_FRONTEND", "noninteractive");

    /**
     * Packages that lie in a folder as they would lie in {@code /}, without being installed.
     *
     * @param root that folder, absolute
     * @param environment what a program from there needs to find its libraries, which are not where they belong
     */
    public record Unpacked(Path root, Map<String, String> environment) {}

    /**
     * The packages. Blocks while they are fetched, by this process or another one.
     *
     * @param home a checkout or an unpacked release
     * @param programs where {@code apt-get} and {@code dpkg} are looked for
     * @param progress told when something is downloaded
     */
    public Unpacked unpacked(Path home, ProgramPath programs, Consumer<String> progress)
            throws LocalBrokerException, InterruptedException {
        Path root =
                home.toAbsolutePath().resolve(".brokers").resolve("packages").resolve(name);
        try {
            new FetchedFolder(root, product, KEY, content()).fill(part -> fetch(part, programs, progress));
            return new Unpacked(root, Map.of(LIBRARY_PATH, libraryPath(root)));
        } catch (IOException e) {
            throw new LocalBrokerException("cannot read the packages of " + product + " in " + root + ": " + e, e);
        }
    }

    /** After an upgrade of the system the packages are fetched anew, since its libraries are others. */
    private String content() throws IOException {
        List<String> system = Files.exists(SYSTEM) ? Files.readAllLines(SYSTEM) : List.of();
        String version = system.stream()
                .filter(line -> line.startsWith("ID=") || line.startsWith("VERSION_ID="))
                .collect(Collectors.joining(" "));
        return version + "\n" + String.join("\n", packages) + "\n";
    }

    /** Unpacks the packages, and what they depend on and this machine lacks, into a folder. */
    private void fetch(Path root, ProgramPath programs, Consumer<String> progress)
            throws IOException, LocalBrokerException, InterruptedException {
        String aptGet = tool("apt-get", programs);
        String dpkg = tool("dpkg", programs);
        progress.accept("fetching the packages of " + product + ", about " + sizeMb + " MB, once");
        Path workFolder = Files.createDirectory(root.resolve(".fetch"));
        Path lists = workFolder.resolve("lists");
        Path archives = workFolder.resolve("archives");
        Files.createDirectories(lists.resolve("partial"));
        Files.createDirectories(archives.resolve("partial"));
        Path configuration = workFolder.resolve("apt.conf");
        Files.writeString(configuration, CONFIGURATION.formatted(lists, workFolder, archives));
        List<String> apt = List.of(aptGet, "-c", configuration.toString(), "-q");
        List<String> said = call("apt-get update", apt, workFolder, "update");
        // One source of several may fail; without any, the next command would not say why it knows no package.
        if (filesIn(lists, "_Packages").isEmpty()) {
            throw failure("apt-get update found no packages" + Tool.saying(said));
        }
        // Without --reinstall, a package that is installed while others are missing would not come along.
        List<String> install = new ArrayList<>(apt);
        install.addAll(List.of("-y", "install", "--download-only", "--reinstall", "--no-install-recommends"));
        said = call("apt-get", install, workFolder, packages.toArray(String[]::new));
        List<Path> downloaded = filesIn(archives, ".deb");
        if (downloaded.isEmpty()) {
            throw failure("apt-get downloaded nothing" + Tool.saying(said));
        }
        for (Path archive : downloaded) {
            call("dpkg", List.of(dpkg, "-x"), workFolder, archive.toString(), root.toString());
        }
        FileTree.delete(workFolder);
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
        return new LocalBrokerException("cannot fetch " + product + ": " + what + "\nInstead, " + otherWays());
    }

    private String tool(String tool, ProgramPath programs) throws LocalBrokerException {
        return programs.find(tool)
                .map(Path::toString)
                .orElseThrow(() -> new BrokerUnavailableException(
                        product + " is not on this machine, and there is no " + tool + " to fetch it with; "
                                + otherWays(),
                        null));
    }

    /** What a user can do who does without them. */
    private String otherWays() {
        return "install " + product + " so that " + program
                + " is on the PATH, or point the driver's file to a broker that runs";
    }

    private static String libraryPath(Path root) throws IOException {
        String before = System.getenv().getOrDefault(LIBRARY_PATH, "");
        try (Stream<Path> files = Files.walk(root)) {
            Stream<String> folders = files.filter(file ->
                            LIBRARY.matcher(String.valueOf(file.getFileName())).matches())
                    .map(file -> file.resolveSibling("").toString())
                    .distinct()
                    .sorted();
            return Stream.concat(folders, Stream.of(before))
                    .filter(folder -> !folder.isEmpty())
                    .collect(Collectors.joining(":"));
        }
    }
}
