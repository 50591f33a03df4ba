package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Debian packages of brokers, kept unpacked in {@code .brokers/packages} of the project's home folder and fetched there
 * on first use by {@code apt-get}, from wherever this machine gets its packages. Nothing is installed and nothing of the
 * system is changed: neither root nor package lists are needed. Several processes may use the same packages at the same
 * time; a download that was cut short is never used.
 */
public final class PackageCache {

    /** The file beside the unpacked packages that tells what they are. */
    private static final String KEY = "packages.txt";

    private static final Path SYSTEM = Path.of("/etc/os-release");

    private final Path folder;
    private final ProgramPath programs;
    private final Consumer<String> progress;

    /**
     * The cache of a home folder.
     *
     * @param home a checkout or an unpacked release
     * @param programs where {@code apt-get} and {@code dpkg} are looked for
     * @param progress told when something is downloaded
     */
    public PackageCache(Path home, ProgramPath programs, Consumer<String> progress) {
        this.folder = home.toAbsolutePath().resolve(".brokers").resolve("packages");
        this.programs = programs;
        this.progress = progress;
    }

    /** The packages. Blocks while they are fetched, by this process or another one. */
    public UnpackedPackages unpacked(PackageSet set) throws LocalBrokerException, InterruptedException {
        Path root = folder.resolve(set.name());
        try {
            String content = content(set);
            new FetchedFolder(root, set.product(), KEY, content).fill(part -> fetch(set, part, content));
            return UnpackedPackages.in(root);
        } catch (IOException e) {
            throw new LocalBrokerException("cannot keep " + set.product() + " in " + root + ": " + e, e);
        }
    }

    /** After an upgrade of the system the packages are fetched anew, since its libraries are others. */
    private static String content(PackageSet set) throws IOException {
        List<String> system = Files.exists(SYSTEM) ? Files.readAllLines(SYSTEM) : List.of();
        List<String> version = system.stream()
                .filter(line -> line.startsWith("ID=") || line.startsWith("VERSION_ID="))
                .toList();
        return String.join(" ", version) + "\n" + String.join("\n", set.packages()) + "\n";
    }

    private void fetch(PackageSet set, Path part, String content)
            throws IOException, LocalBrokerException, InterruptedException {
        Path aptGet = program("apt-get", set);
        Path dpkg = program("dpkg", set);
        progress.accept("fetching the packages of " + set.product() + ", about " + set.sizeMb() + " MB, once");
        Path workFolder = Files.createDirectory(part.resolve(".fetch"));
        new PackageFetch(set, aptGet, dpkg, workFolder).run(part);
        FileTree.delete(workFolder);
        Files.writeString(part.resolve(KEY), content);
    }

    private Path program(String name, PackageSet set) throws LocalBrokerException {
        return programs.find(name)
                .orElseThrow(() -> new BrokerUnavailableException(
                        set.product() + " is not on this machine, and there is no " + name + " to fetch it with; "
                                + set.otherWays(),
                        null));
    }
}
