package io.openmessaging.benchmark.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** A process that listens on a port and tries to connect to other ports on request. */
final class TestNode implements AutoCloseable {

    private final Process process;
    private final BufferedReader answers;
    private final PrintStream questions;
    final int port;

    /** Starts the process through a command, on a free port. */
    TestNode(UnaryOperator<List<String>> wrapped) throws IOException {
        this(wrapped, 0);
    }

    TestNode(UnaryOperator<List<String>> wrapped, int wantedPort) throws IOException {
        process = new ProcessBuilder(wrapped.apply(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TestNode.class.getName(),
                        Integer.toString(wantedPort))))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
        questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
        port = Integer.parseInt(answer());
    }

    private String answer() throws IOException {
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the node has ended");
        }
        return answer;
    }

    /** Lets the process connect to a port of this machine; returns the result. */
    ConnectProbe.ConnectResult connectTo(int other) throws IOException {
        questions.println(other);
        return ConnectProbe.ConnectResult.valueOf(answer());
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Entry point of the process. */
    public static void main(String... args) throws IOException {
        try (ServerSocket listening =
                new ServerSocket(Integer.parseInt(args[0]), 50, InetAddress.getByName(Relay.HERE))) {
            System.out.println(listening.getLocalPort());
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))
                    .lines()
                    .map(Integer::valueOf)
                    .map(port -> ConnectProbe.connect(new InetSocketAddress(Relay.HERE, port), 300))
                    .forEach(System.out::println);
        } catch (UncheckedIOException e) {
            System.exit(1);
        }
    }
}
