package io.openmessaging.benchmark.faults;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tries to connect. Also runs as a program of its own, so that it can run in a node's control group. */
final class ConnectProbe {

    /** Result of an attempt. */
    enum ConnectResult {
        THROUGH,
        /** No answer arrived. */
        SILENCE,
        /** The request was refused, which takes packets in both directions. */
        REFUSED;

        /** Parses the output of the program; empty if it is not a result. */
        static Optional<ConnectResult> of(String told) {
            return Stream.of(values())
                    .filter(outcome -> told.endsWith(outcome.name()))
                    .findFirst();
        }
    }

    private ConnectProbe() {}

    /** Takes host, port and timeout in milliseconds; prints the result. */
    public static void main(String... args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        String outcome = connect(address, Integer.parseInt(args[2])).name();
        try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            out.write(outcome.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /**
     * Connects to all ports at the same time and waits for the whole timeout: the result is silence only if no port
     * answers.
     *
     * @param ports of this machine
     */
    static ConnectResult connectToAny(Collection<Integer> ports, int timeoutMs)
            throws IOException, InterruptedException {
        List<SocketChannel> trying = new ArrayList<>();
        try {
            for (int port : ports) {
                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.INET);
                trying.add(channel);
                channel.configureBlocking(false);
                channel.connect(new InetSocketAddress(Relay.HERE, port));
            }
            Thread.sleep(timeoutMs);
            ConnectResult outcome = ConnectResult.SILENCE;
            for (SocketChannel channel : trying) {
                outcome = outcome == ConnectResult.SILENCE ? outcome(channel) : outcome;
            }
            return outcome;
        } finally {
            for (SocketChannel channel : trying) {
                channel.close();
            }
        }
    }

    private static ConnectResult outcome(SocketChannel channel) {
        try {
            return channel.finishConnect() ? ConnectResult.THROUGH : ConnectResult.SILENCE;
        } catch (IOException e) {
            return ConnectResult.REFUSED;
        }
    }

    static ConnectResult connect(InetSocketAddress address, int timeoutMs) {
        try (Socket socket = new Socket()) {
            socket.connect(address, timeoutMs);
            return ConnectResult.THROUGH;
        } catch (SocketTimeoutException e) {
            return ConnectResult.SILENCE;
        } catch (IOException e) {
            return ConnectResult.REFUSED;
        }
    }
}
