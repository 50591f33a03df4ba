package io.openmessaging.benchmark.broker.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the TCP sockets on which a process of this machine listens, as reported by Linux. */
public final class ListeningSockets {

    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");
    private static final String STATE_LISTEN = "0A";

    /** 127.0.0.1, also as an IPv6 address, and ::1, in the 32-bit words that the kernel prints. */
    private static final Set<String> LOOPBACK =
            Set.of("0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000");

    private ListeningSockets() {}

    /** Returns the addresses, in the kernel's notation, that other machines can reach. */
    public static List<String> beyondLoopback(long pid) throws IOException {
        return addresses(pid).stream()
                .filter(address -> !LOOPBACK.contains(address.split(":", 2)[0]))
                .toList();
    }

    /** Returns the ports of all listening sockets. */
    public static Set<Integer> ports(long pid) throws IOException {
        return addresses(pid).stream()
                .map(address -> Integer.parseInt(address.split(":", 2)[1], 16))
                .collect(Collectors.toSet());
    }

    /** Returns all listening sockets as {@code address:port} in hexadecimal digits. */
    private static List<String> addresses(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        Set<String> inodes = inodes(process.resolve("fd"));
        List<String> addresses = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            Path file = process.resolve("net").resolve(table);
            // A machine without IPv6 has one table.
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                String[] columns = line.strip().split("\\s+");
                if (columns[3].equals(STATE_LISTEN) && inodes.contains(columns[9])) {
                    addresses.add(columns[1]);
                }
            }
        }
        return addresses;
    }

    private static Set<String> inodes(Path descriptors) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> files = Files.list(descriptors)) {
            for (Path file : files.toList()) {
                Matcher socket = SOCKET.matcher(target(file));
                if (socket.matches()) {
                    inodes.add(socket.group(1));
                }
            }
        }
        return inodes;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // The descriptor was closed meanwhile.
            return "";
        }
    }
}
