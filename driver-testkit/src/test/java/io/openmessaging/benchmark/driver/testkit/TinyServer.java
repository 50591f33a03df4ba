package io.openmessaging.benchmark.driver.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The part of a {@link TinyDriver}'s system that has an address: greets each client with one byte. */
final class TinyServer implements AutoCloseable {

    private final ServerSocket socket;
    private final Thread thread = new Thread(this::greetAll, "tiny-server");

    TinyServer() throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread.setDaemon(true);
        thread.start();
    }

    String address() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    private void greetAll() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                client.getOutputStream().write(1);
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
