package io.openmessaging.benchmark.broker.rabbitmq;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An Erlang that is not at its usual place and may be built for another release of Linux than this machine's. Its own
 * scripts only work at the usual place, and its programs would load this machine's libraries. Therefore a copy of its
 * folders is created from links, with a script in place of each program.
 *
 * @param root its folder, with {@code lib}, {@code releases} and {@code erts-*}
 * @param caller supplies the command lines of its programs
 */
record UnpackedErlang(Path root, Caller caller) implements RabbitMqInstallation.Erlang {

    /** Supplies the command lines of programs. */
    interface Caller {

        /** Returns the start of the command line that calls the program. */
        List<String> command(Path program) throws LocalBrokerException;
    }

    private static final String ERL = "erl";

    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};

    /** Starts Erlang from the parent of the folder that contains this file. */
    private static final String START = """
            #!/bin/sh
            ROOTDIR=$(cd "$(dirname "$0")/.." && pwd)
            BINDIR=$(echo "$ROOTDIR"/erts-*/bin)
            EMU=beam
            PROGNAME=erl
            export ROOTDIR BINDIR EMU PROGNAME
            exec "$BINDIR/erlexec" "$@"
            """;

    @Override
    public Path prepare(Path folder) throws LocalBrokerException {
        try {
            layOut(root, folder);
            Path bin = folder.resolve("bin");
            script(bin.resolve(ERL), START);
            return bin.toAbsolutePath();
        } catch (IOException | UncheckedIOException e) {
            throw new LocalBrokerException("cannot unpack Erlang into " + folder + ": " + e, e);
        }
    }

    /** Fills a folder with links to the content of another one, and with scripts that call the programs in it. */
    private void layOut(Path from, Path to) throws IOException, LocalBrokerException {
        Files.createDirectories(to);
        try (var entries = Files.newDirectoryStream(from)) {
            for (Path entry : entries) {
                Path there = to.resolve(String.valueOf(entry.getFileName()));
                if (hasPrograms(entry)) {
                    layOut(entry, there);
                } else if (isProgram(entry)) {
                    script(there, "#!/bin/sh\nexec " + quoted(entry.toRealPath()) + " \"$@\"\n");
                } else if (!entry.endsWith(ERL)) {
                    Files.createSymbolicLink(there, entry.toRealPath());
                }
            }
        }
    }

    private static boolean hasPrograms(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(UnpackedErlang::isProgram);
        }
    }

    private static boolean isProgram(Path file) {
        if (!Files.isExecutable(file) || Files.isDirectory(file)) {
            return false;
        }
        try (InputStream content = Files.newInputStream(file)) {
            return Arrays.equals(content.readNBytes(ELF.length), ELF);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String quoted(Path program) throws LocalBrokerException {
        return caller.command(program).stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make it executable: " + file);
        }
    }

    /** Returns the only entry of a folder whose name matches the pattern. */
    static Path only(Path folder, String pattern) throws IOException {
        try (var matches = Files.newDirectoryStream(folder, pattern)) {
            for (Path match : matches) {
                return match;
            }
        }
        throw new IOException("there is no " + pattern + " in " + folder);
    }
}
