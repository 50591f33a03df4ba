package io.openmessaging.benchmark.dist;

import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Machines of a test: network namespaces on one bridge, each with its own address and its own loopback. A process in
 * one of them reaches the others by their addresses and nothing else. Needs root and {@code ip}; closing removes
 * everything.
 */
final class Machines implements AutoCloseable {

    /** Two tests at once, or one that was killed, must not get the same names. */
    private static final AtomicInteger COUNTER = new AtomicInteger();

    private final String id;
    private final String network;
    private final List<Machine> machines = new ArrayList<>();

    /** Creates a network without machines. */
    Machines() throws IOException {
        int number = (int) (ProcessHandle.current().pid() * 16 + COUNTER.getAndIncrement()) & 0xfff;
        this.id = "bm%03x".formatted(number);
        this.network = "10.%d.%d.".formatted(200 + (number >> 8), number & 0xff);
        ip("link", "add", id, "type", "bridge");
        ip("link", "set", id, "up");
    }

    /** Reason that machines are impossible here; empty if they are possible. */
    static String missing() {
        try {
            return exitCode("ip", "netns", "add", "bmprobe") == 0 && exitCode("ip", "netns", "del", "bmprobe") == 0
                    ? ""
                    : "network namespaces need root";
        } catch (IOException e) {
            return "there is no command 'ip': " + e.getMessage();
        }
    }

    /** Adds a machine. */
    Machine add() throws IOException {
        int number = machines.size() + 1;
        Machine machine = new Machine(id + "m" + number, network + number);
        machines.add(machine);
        String outside = id + "v" + number;
        ip("netns", "add", machine.name());
        ip("link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", machine.name());
        ip("link", "set", outside, "master", id, "up");
        ip("-n", machine.name(), "addr", "add", machine.address() + "/24", "dev", "eth0");
        ip("-n", machine.name(), "link", "set", "eth0", "up");
        ip("-n", machine.name(), "link", "set", "lo", "up");
        return machine;
    }

    /**
     * One machine of the network.
     *
     * @param name name of its namespace
     * @param address address by which the others reach it
     */
    record Machine(String name, String address) {

        /** Wraps a command so that it runs on this machine. */
        List<String> command(List<String> command) {
            List<String> inside = new ArrayList<>(List.of("ip", "netns", "exec", name));
            inside.addAll(command);
            return inside;
        }
    }

    @Override
    public void close() throws IOException {
        for (Machine machine : machines) {
            exitCode("ip", "netns", "del", machine.name());
        }
        exitCode("ip", "link", "del", id);
    }

    private static void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        if (exitCode(command.toArray(String[]::new)) != 0) {
            throw new IOException(String.join(" ", command) + " failed");
        }
    }

    private static int exitCode(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return Patience.exitCode(String.join(" ", command), process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(String.join(" ", command) + " is interrupted", e);
        }
    }
}
