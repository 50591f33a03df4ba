package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Problems;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.util.List;

/**
 * The URL of a worker.
 *
 * @param number number of the worker, from 1
 * @param address address without a path
 */
record WorkerUrl(int number, Address address) {

    private static final int REFUSED_LIMIT_MS = 1000;

    /**
     * Parses a URL as the user wrote it.
     *
     * @throws WorkerException if it is not the URL of a worker
     */
    static WorkerUrl parse(int number, String text) throws WorkerException {
        Address.Form form = new Address.Form(
                "a URL with a port, such as https://w" + number + ":8080",
                List.of("http", "https"),
                Address.Port.REQUIRED,
                false,
                false);
        try {
            return new WorkerUrl(number, Address.parse(text, form));
        } catch (IllegalArgumentException e) {
            throw new WorkerException("worker " + number + ": " + e.getMessage() + ", got '"
                    + Problems.shown(Address.withoutLogin(text)) + "'");
        }
    }

    String host() {
        return address.host();
    }

    int port() {
        return address.port();
    }

    boolean isSecure() {
        return address.scheme().equals("https");
    }

    /**
     * Returns whether a connection is refused: nothing listens there. Any other failure says nothing about the process.
     * The HTTP client reports all failures to connect in the same way, so this tries it with a socket, which waits for
     * one second at most.
     */
    boolean isRefused() {
        try (Socket socket = new Socket(Proxy.NO_PROXY)) {
            socket.connect(new InetSocketAddress(host(), port()), REFUSED_LIMIT_MS);
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    URI path(String path) {
        return address.uri(path);
    }

    @Override
    public String toString() {
        return "worker " + number + " (" + address + ")";
    }
}
