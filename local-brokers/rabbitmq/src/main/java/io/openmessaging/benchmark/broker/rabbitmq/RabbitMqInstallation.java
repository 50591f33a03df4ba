package io.openmessaging.benchmark.broker.rabbitmq;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.fetch.NativeProgram;
import io.openmessaging.benchmark.broker.fetch.PackageSet;
import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * RabbitMQ and Erlang on this machine.
 *
 * @param server the folder of RabbitMQ itself, with {@code sbin} and {@code plugins}
 * @param erlang the Erlang that it runs on
 */
record RabbitMqInstallation(Path server, Erlang erlang) {

    /** The programs of Erlang. */
    interface Erlang {

        /**
         * Makes the programs usable for one broker.
         *
         * @param folder an empty folder, for files that are not at their usual place
         * @return the folder that contains {@code erl} and {@code epmd}
         */
        Path prepare(Path folder) throws LocalBrokerException;
    }

    private static final String PRODUCT = "RabbitMQ";

    static final String PROGRAM = "rabbitmq-server";

    private static final String START_SCRIPT = "sbin/" + PROGRAM;

    /** The place of the program in Debian; there, the program on the PATH is a script that must be called by root. */
    private static final Path DEBIAN_START_SCRIPT = Path.of("/usr/lib/rabbitmq/bin", PROGRAM);

    static final PackageSet PACKAGES = new PackageSet(
            "rabbitmq",
            PRODUCT,
            List.of((PROGRAM + " erlang-base erlang-asn1 erlang-crypto erlang-eldap erlang-ftp erlang-inets"
                            + " erlang-mnesia erlang-os-mon erlang-parsetools erlang-public-key erlang-runtime-tools"
                            + " erlang-snmp erlang-ssl erlang-syntax-tools erlang-tftp erlang-tools erlang-xmerl")
                    .split(" ")),
            75,
            PackageSet.Release.DEBIAN_13,
            "install RabbitMQ so that rabbitmq-server is on the PATH, or point the driver file to a running broker");

    /** Finds the one in Debian's packages, which are fetched on first use, or the one of this machine. */
    static RabbitMqInstallation find(ProgramPath programs, LocalBrokerOptions options)
            throws LocalBrokerException, InterruptedException {
        Optional<Path> installed = NativeProgram.installed(PRODUCT, PROGRAM, programs, options.version());
        try {
            if (installed.isPresent()) {
                Path erlang = programs.find("epmd")
                        .orElseThrow(() -> new BrokerUnavailableException(
                                "RabbitMQ is installed, but Erlang's epmd is missing: put the bin folder of Erlang on the PATH",
                                null))
                        .resolveSibling("");
                return new RabbitMqInstallation(server(installed.get()), folder -> erlang);
            }
            PackageSet.Unpacked unpacked = PACKAGES.unpacked(options.place().home(), programs, options.progress());
            return new RabbitMqInstallation(
                    UnpackedErlang.only(unpacked.root().resolve("usr/lib/rabbitmq/lib"), "rabbitmq_server-*"),
                    new UnpackedErlang(unpacked.root().resolve("usr/lib/erlang"), unpacked::command));
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

    /**
     * Links RabbitMQ into a node's folder and returns the start script relative to that folder: the script fails if a
     * folder above it has a blank in its name.
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
