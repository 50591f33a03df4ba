package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * may use the same packages at the same time; a download that was cut short is never used.
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
     * Packages that lie in a folder as they would lie in {@code /}, without being installed.
     *
     * @param root that folder, absolute
     * @param environment what a program from there needs to find its libraries, which are not where they belong
     */
    public record Unpacked(Path root, Map<String, String> environment) {

        /** A file by its place in the system, such as {@code usr/bin/redis-server}. */
        public Path file(String place) {
            return root.resolve(place);
        }
    }

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
            new FetchedFolder(root, product, KEY, content()).fill(part -> {
                Path aptGet = tool("apt-get", programs);
                Path dpkg = tool("dpkg", programs);
                progress.accept("fetching the packages of " + product + ", about " + sizeMb + " MB, once");
                Path workFolder = Files.createDirectory(part.resolve(".fetch"));
                new PackageFetch(this, aptGet, dpkg, workFolder).run(part);
                FileTree.delete(workFolder);
            });
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

    private Path tool(String tool, ProgramPath programs) throws LocalBrokerException {
        return programs.find(tool)
                .orElseThrow(() -> new BrokerUnavailableException(
                        product + " is not on this machine, and there is no " + tool + " to fetch it with; "
                                + otherWays(),
                        null));
    }

    /** What a user can do who does without them. */
    String otherWays() {
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
