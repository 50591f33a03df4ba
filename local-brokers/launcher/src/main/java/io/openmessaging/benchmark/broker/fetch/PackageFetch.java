package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Downloads packages by {@code apt-get} and unpacks them by {@code dpkg}. It reads the system's choice of sources and
 * keys, and what is installed; all that it writes is in its own folder.
 */
final class PackageFetch {

    private static final int LINES_SHOWN = 5;

    /** In words that a reader of the message, and not only of the machine's language, can search for. */
    private static final Map<String, String> ENVIRONMENT = Map.of("LC_ALL", "C", "DEBIAN_FRONTEND", "noninteractive");

    private final PackageSet set;
    private final Path aptGet;
    private final Path dpkg;
    private final Path workFolder;
    private final Path archives;

    /** What the latest program has printed. */
    private final Path output;

    /**
     * Downloads with these programs.
     *
     * @param workFolder empty, absolute, for lists and archives
     */
    PackageFetch(PackageSet set, Path aptGet, Path dpkg, Path workFolder) {
        this.set = set;
        this.aptGet = aptGet;
        this.dpkg = dpkg;
        this.workFolder = workFolder;
        this.archives = workFolder.resolve("archives");
        this.output = workFolder.resolve("output.log");
    }

    /** Unpacks the packages, and what they depend on and this machine lacks, into a folder. */
    void run(Path root) throws IOException, LocalBrokerException, InterruptedException {
        Path lists = workFolder.resolve("lists");
        Files.createDirectories(lists.resolve("partial"));
        Files.createDirectories(archives.resolve("partial"));
        Path configuration = Files.writeString(workFolder.resolve("apt.conf"), configuration(lists));
        call("apt-get update", aptGet, List.of("-c", configuration.toString(), "-q", "update"));
        // One source of several may fail; without any, the next command would not say why it knows no package.
        if (filesIn(lists, file -> file.contains("_Packages")).isEmpty()) {
            throw failure("apt-get update found no packages");
        }
        // Without --reinstall, a package that is installed while others are missing would not come along.
        List<String> download = new ArrayList<>(List.of("-c", configuration.toString(), "-q", "-y", "install"));
        download.addAll(List.of("--download-only", "--reinstall", "--no-install-recommends"));
        download.addAll(set.packages());
        call("apt-get", aptGet, download);
        List<Path> downloaded = filesIn(archives, file -> file.endsWith(".deb"));
        if (downloaded.isEmpty()) {
            throw failure("apt-get downloaded nothing");
        }
        for (Path archive : downloaded) {
            call("dpkg", dpkg, List.of("-x", archive.toString(), root.toString()));
        }
    }

    /**
     * Keeps apt away from the system's own lists, archives and locks, and from the commands that the system wants to be
     * run after an update of its lists.
     */
    private String configuration(Path lists) {
        return """
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
                """.formatted(lists, workFolder, archives);
    }

    private static List<Path> filesIn(Path folder, Predicate<String> name) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> name.test(file.toString())).sorted().toList();
        }
    }

    private void call(String name, Path program, List<String> arguments)
            throws IOException, LocalBrokerException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        try {
            new Tool(name, command, ENVIRONMENT, workFolder, FetchedFolder.LIMIT).run(output);
        } catch (Tool.FailedException e) {
            throw failure(String.valueOf(e.getMessage()));
        }
    }

    private LocalBrokerException failure(String what) throws IOException {
        return new LocalBrokerException(
                "cannot fetch " + set.product() + ": " + what + "; it says:"
                        + Tool.lastLines(Tool.lines(output), LINES_SHOWN) + "\nInstead, " + set.otherWays(),
                null);
    }
}
