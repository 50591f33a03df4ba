package io.openmessaging.benchmark.worker.transport;

import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A user's own authority, which signs certificates for machines. */
public final class TestAuthority {

    private final Path folder;

    /**
     * Creates an authority.
     *
     * @param folder folder for its files, which only their owner can enter
     */
    public TestAuthority(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        keytool("-genkeypair", "-alias", "ca", "-dname", "CN=ca", "-keyalg", "EC", "-ext", "bc:c", "-keystore", "ca");
        keytool("-exportcert", "-rfc", "-alias", "ca", "-file", "ca.pem", "-keystore", "ca");
    }

    /**
     * Creates a key with a certificate that the authority has signed, and the authority's own certificate.
     *
     * @param name name of the machine, as keytool writes it, such as {@code ip:127.0.0.1}
     */
    public Path keyFor(String name) throws IOException, InterruptedException {
        keytool("-genkeypair", "-alias", "node", "-dname", "CN=node", "-keyalg", "EC", "-keystore", "node");
        keytool("-certreq", "-alias", "node", "-file", "node.csr", "-keystore", "node");
        keytool(
                "-gencert",
                "-rfc",
                "-alias",
                "ca",
                "-infile",
                "node.csr",
                "-outfile",
                "node.pem",
                "-ext",
                "san=" + name,
                "-keystore",
                "ca");
        keytool("-importcert", "-noprompt", "-alias", "ca", "-file", "ca.pem", "-keystore", "node");
        keytool("-importcert", "-alias", "node", "-file", "node.pem", "-keystore", "node");
        Path file = folder.resolve("node");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", KeyFile.TYPE, "-storepass", KeyFile.DEFAULT_PASSWORD));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        if (Patience.exitCode("keytool", process) != 0) {
            throw new IOException("keytool failed: " + Files.readString(folder.resolve("output")));
        }
    }
}
