package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The TCP ports on which processes of this machine listen, as Linux reports them. */
final class ListeningPorts {

    private static final System.Logger LOG = System.getLogger(ListeningPorts.class.getName());

    private static final Path PROC = Path.of("/proc");

    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");

    /** Columns of the socket tables, and the state of a listening socket. */
    private static final int OWN_ADDRESS = 1;

    private static final int STATE = 3;

    private static final int INODE = 9;

    private static final String LISTENS = "0A";

    private ListeningPorts() {}

    static Set<Integer> of(List<Long> pids) throws IOException {
        Set<String> inodes = new HashSet<>();
        for (long pid : pids) {
            addSockets(PROC.resolve(Long.toString(pid)).resolve("fd"), inodes);
        }
        Set<Integer> ports = new HashSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            Path file = PROC.resolve("net").resolve(table);
            // A machine without IPv6 has one table.
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                port(line, inodes).ifPresent(ports::add);
            }
        }
        return ports;
    }

    /** Returns the port in a line of such a table; empty if it is not one of the sockets, or does not listen. */
    static Optional<Integer> port(String line, Set<String> inodes) {
        String[] columns = line.strip().split("\\s+");
        if (columns.length <= INODE || !columns[STATE].equals(LISTENS) || !inodes.contains(columns[INODE])) {
            return Optional.empty();
        }
        String address = columns[OWN_ADDRESS];
        return Optional.of(Integer.valueOf(address.substring(address.indexOf(':') + 1), 16));
    }

    /** Adds the sockets of a process; none if it has just ended. */
    private static void addSockets(Path descriptors, Set<String> inodes) {
        try (Stream<Path> all = Files.list(descriptors)) {
            for (Path descriptor : all.toList()) {
                Matcher socket = SOCKET.matcher(target(descriptor));
                if (socket.matches()) {
                    inodes.add(socket.group(1));
                }
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.log(System.Logger.Level.DEBUG, () -> descriptors + " cannot be read: " + e);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // The descriptor has just been closed.
            return "";
        }
    }
}
