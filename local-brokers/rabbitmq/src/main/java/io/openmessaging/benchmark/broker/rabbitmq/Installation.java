package io.openmessaging.benchmark.broker.rabbitmq;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.fetch.PackageSet;
import io.openmessaging.benchmark.broker.fetch.ProgramPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ and Erlang on this machine.
 *
 * @param server the folder of RabbitMQ itself, with {@code sbin} and {@code plugins}
 * @param erlang the root of an Erlang that is not where it belongs, null for the one on the PATH
 * @param epmd the program that tells Erlang's nodes where they are
 * @param environment what these programs need in addition to the variables of this process
 */
record Installation(Path server, @Nullable Path erlang, Path epmd, Map<String, String> environment) {

    private static final String PROGRAM = "rabbitmq-server";

    private static final String START_SCRIPT = "sbin/" + PROGRAM;

    /** Where Debian puts it; the program on the PATH is there a script that wants to be called by root. */
    private static final Path DEBIAN_START_SCRIPT = Path.of("/usr/lib/rabbitmq/bin", PROGRAM);

    private static final PackageSet PACKAGES = new PackageSet(
            "rabbitmq",
            "RabbitMQ",
            PROGRAM,
            List.of((PROGRAM + " erlang-base erlang-asn1 erlang-crypto erlang-eldap erlang-ftp erlang-inets"
                            + " erlang-mnesia erlang-os-mon erlang-parsetools erlang-public-key erlang-runtime-tools"
                            + " erlang-snmp erlang-ssl erlang-syntax-tools erlang-tftp erlang-tools erlang-xmerl")
                    .split(" ")),
            45);

    /** Starts Erlang from the folder above the one in which this file lies. */
    private static final String ERL = """
            #!/bin/sh
            ROOTDIR=$(cd "$(dirname "$0")/.." && pwd)
            BINDIR=$(echo "$ROOTDIR"/erts-*/bin)
            EMU=beam
            PROGNAME=erl
            export ROOTDIR BINDIR EMU PROGNAME
            exec "$BINDIR/erlexec" "$@"
            """;

    /** The one of this machine, or else the one of the Debian packages, which are fetched on first use. */
    static Installation find(ProgramPath programs, LocalBrokerOptions options)
            throws LocalBrokerException, InterruptedException {
        Optional<Path> installed = programs.find(PROGRAM);
        try {
            if (installed.isPresent()) {
                return new Installation(server(installed.get()), null, epmd(programs), Map.of());
            }
            return unpacked(PACKAGES.unpacked(options.place().home(), programs, options.progress()));
        } catch (IOException e) {
            throw new LocalBrokerException("cannot read the folders of RabbitMQ: " + e, e);
        }
    }

    private static Path server(Path program) throws IOException, LocalBrokerException {
        for (Path candidate : List.of(program, DEBIAN_START_SCRIPT)) {
            if (Files.exists(candidate)) {
                Path script = candidate.toRealPath();
                Path server = script.resolveSibling("..").normalize();
                if (script.endsWith(START_SCRIPT) && Files.isDirectory(server.resolve("plugins"))) {
                    return server;
                }
            }
        }
        throw new LocalBrokerException(
                program + " does not lead to RabbitMQ's own folder: put that folder's sbin on the PATH");
    }

    private static Path epmd(ProgramPath programs) throws LocalBrokerException {
        return programs.find("epmd")
                .orElseThrow(() -> new BrokerUnavailableException(
                        "RabbitMQ is there, but not Erlang's epmd: put the bin folder of Erlang on the PATH", null));
    }

    private static Installation unpacked(PackageSet.Unpacked packages) throws IOException {
        Path erlang = packages.root().resolve("usr/lib/erlang");
        return new Installation(
                only(packages.root().resolve("usr/lib/rabbitmq/lib"), "rabbitmq_server-*"),
                erlang,
                only(erlang, "erts-*").resolve("bin/epmd"),
                packages.environment());
    }

    private static Path only(Path folder, String pattern) throws IOException {
        try (var matches = Files.newDirectoryStream(folder, pattern)) {
            for (Path match : matches) {
                return match;
            }
        }
        throw new IOException("there is no " + pattern + " in " + folder);
    }

    /**
     * Makes the programs usable for one broker and returns the variables to start them with.
     *
     * @param folder an empty one, where Erlang gets a place if it is not where it belongs: its own script to start it
     *     knows only that place
     */
    Map<String, String> prepare(Path folder) throws LocalBrokerException {
        if (erlang == null) {
            return environment;
        }
        try {
            for (String name : List.of(
                    "lib", "releases", String.valueOf(only(erlang, "erts-*").getFileName()))) {
                Files.createSymbolicLink(folder.resolve(name), erlang.resolve(name));
            }
            Path bin = Files.createDirectory(folder.resolve("bin")).toAbsolutePath();
            try (var bootFiles = Files.newDirectoryStream(erlang.resolve("bin"), "*.boot")) {
                for (Path bootFile : bootFiles) {
                    Files.createSymbolicLink(bin.resolve(bootFile.getFileName()), bootFile.toRealPath());
                }
            }
            Path erl = Files.writeString(bin.resolve("erl"), ERL);
            if (!erl.toFile().setExecutable(true)) {
                throw new IOException("cannot make it executable");
            }
            Map<String, String> prepared = new HashMap<>(environment);
            prepared.put("PATH", bin + File.pathSeparator + System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
            return prepared;
        } catch (IOException e) {
            throw new LocalBrokerException("cannot lay out Erlang in " + folder + ": " + e, e);
        }
    }

    /**
     * Puts RabbitMQ into a node's folder and returns the start script as seen from there: without any folder above it, as
     * the script fails where one of them has a blank in its name.
     */
    String startScript(Path nodeFolder) throws LocalBrokerException {
        try {
            Files.createSymbolicLink(nodeFolder.resolve("server"), server);
            return "server/" + START_SCRIPT;
        } catch (IOException e) {
            throw new LocalBrokerException("cannot put RabbitMQ into " + nodeFolder + ": " + e, e);
        }
    }
}
