package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Downloads packages by {@code apt-get} and unpacks them by {@code dpkg}. It reads the system's choice of sources and
 * keys, and what is installed; all that it writes is in its own folder.
 *
 * @param workFolder empty, absolute, for lists and archives
 */
record PackageFetch(PackageSet set, Path aptGet, Path dpkg, Path workFolder) {

    /** In words that a reader of the message, and not only of the machine's language, can search for. */
    private static final Map<String, String> ENVIRONMENT = Map.of("LC_ALL", "C", "DEBIAN_FRONTEND", "noninteractive");

    /** Unpacks the packages, and what they depend on and this machine lacks, into a folder. */
    void run(Path root) throws IOException, LocalBrokerException, InterruptedException {
        Path lists = workFolder.resolve("lists");
        Path archives = workFolder.resolve("archives");
        Files.createDirectories(lists.resolve("partial"));
        Files.createDirectories(archives.resolve("partial"));
        Path configuration = Files.writeString(workFolder.resolve("apt.conf"), configuration(lists, archives));
        List<String> apt = List.of(aptGet.toString(), "-c", configuration.toString(), "-q");
        List<String> said = call("apt-get update", apt, "update");
        // One source of several may fail; without any, the next command would not say why it knows no package.
        if (filesIn(lists, "_Packages").isEmpty()) {
            throw failure("apt-get update found no packages" + Tool.saying(said));
        }
        // Without --reinstall, a package that is installed while others are missing would not come along.
        List<String> install = new ArrayList<>(apt);
        install.addAll(List.of("-y", "install", "--download-only", "--reinstall", "--no-install-recommends"));
        said = call("apt-get", install, set.packages().toArray(String[]::new));
        List<Path> downloaded = filesIn(archives, ".deb");
        if (downloaded.isEmpty()) {
            throw failure("apt-get downloaded nothing" + Tool.saying(said));
        }
        for (Path archive : downloaded) {
            call("dpkg", List.of(dpkg.toString(), "-x"), archive.toString(), root.toString());
        }
    }

    /**
     * Keeps apt away from the system's own lists, archives and locks, and from the commands that the system wants to be
     * run after an update of its lists.
     */
    private String configuration(Path lists, Path archives) {
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

    private static List<Path> filesIn(Path folder, String part) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().contains(part))
                    .sorted()
                    .toList();
        }
    }

    private List<String> call(String name, List<String> program, String... arguments)
            throws IOException, LocalBrokerException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        try {
            return new Tool(name, command, ENVIRONMENT, workFolder, FetchedFolder.LIMIT).run();
        } catch (LocalBrokerException e) {
            throw failure(String.valueOf(e.getMessage()));
        }
    }

    private LocalBrokerException failure(String what) {
        return new LocalBrokerException(
                "cannot fetch " + set.product() + ": " + what + "\nInstead, " + set.otherWays());
    }
}
