package io.openmessaging.benchmark.broker.rabbitmq;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The TCP sockets on which a process of this machine, a Linux, listens. */
final class ListeningSockets {

    private static final String LISTEN = "0A";

    /** The addresses as Linux writes them: each group of four bytes from behind. */
    private static final Set<String> LOOPBACK = Set.of("0100007F", "00000000000000000000000001000000");

    private ListeningSockets() {}

    /** The addresses among them, in Linux' notation, that are not on loopback. */
    static List<String> beyondLoopback(long pid) throws IOException {
        return addresses(pid).stream()
                .filter(address -> !LOOPBACK.contains(address.substring(0, address.indexOf(':'))))
                .toList();
    }

    /** The port of each of them. */
    static Set<Integer> ports(long pid) throws IOException {
        return addresses(pid).stream()
                .map(address -> Integer.parseInt(address.substring(address.indexOf(':') + 1), 16))
                .collect(Collectors.toSet());
    }

    private static List<String> addresses(long pid) throws IOException {
        Set<String> inodes = inodes(pid);
        List<String> addresses = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            Path file = Path.of("/proc/net", table);
            if (Files.exists(file)) {
                Files.readAllLines(file).stream()
                        .map(line -> line.strip().split("\\s+"))
                        .filter(fields -> fields[3].equals(LISTEN) && inodes.contains(fields[9]))
                        .forEach(fields -> addresses.add(fields[1]));
            }
        }
        return addresses;
    }

    private static Set<String> inodes(long pid) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return descriptors
                    .map(ListeningSockets::target)
                    .filter(target -> target.startsWith("socket:["))
                    .map(target -> target.substring("socket:[".length(), target.length() - 1))
                    .collect(Collectors.toSet());
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // Closed meanwhile.
            return "";
        }
    }
}
