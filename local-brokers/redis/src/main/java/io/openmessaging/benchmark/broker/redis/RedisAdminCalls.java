package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends single commands to servers that are starting, with the part of Redis' protocol that this needs. Each call opens
 * its own connection and blocks for a few seconds at most.
 *
 * @param login the arguments of {@code AUTH}; empty for no login
 * @param tls the TLS context; null for connections that are not encrypted
 */
record RedisAdminCalls(List<String> login, @Nullable SSLContext tls) {

    private static final int TIMEOUT_MS = 1000;

    private static final String PONG = "+PONG";

    private static final String PASSWORD_WANTED = "-NOAUTH";

    /**
     * Returns whether a server has finished loading and answers, even if only to require a password that is unknown
     * here.
     */
    boolean serves(String address) {
        return answers(address, answer -> answer.equals(PONG) || answer.startsWith(PASSWORD_WANTED), "PING");
    }

    /** Returns whether a server gives an answer that is wanted; one that is not ready yet does not. */
    boolean answers(String address, Predicate<String> wanted, String... words) {
        try {
            return wanted.test(call(address, words));
        } catch (IOException e) {
            // The starter sets the limit.
            return false;
        }
    }

    /**
     * Calls a server that is ready.
     *
     * @return the answer: a line with its initial sign, {@code +} or {@code -}, or a whole text
     */
    String call(String address, String... words) throws IOException {
        try (Socket socket = tls == null ? new Socket() : tls.getSocketFactory().createSocket()) {
            socket.connect(LocalPorts.socketAddress(address), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            if (!login.isEmpty()) {
                exchange(
                        socket, Stream.concat(Stream.of("AUTH"), login.stream()).toArray(String[]::new));
            }
            return exchange(socket, words);
        }
    }

    private static String exchange(Socket socket, String... words) throws IOException {
        StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            int length = word.getBytes(StandardCharsets.UTF_8).length;
            command.append('$').append(length).append("\r\n").append(word).append("\r\n");
        }
        socket.getOutputStream().write(command.toString().getBytes(StandardCharsets.UTF_8));
        InputStream in = socket.getInputStream();
        String first = line(in);
        if (!first.startsWith("$")) {
            return first;
        }
        return new String(in.readNBytes(Integer.parseInt(first.substring(1))), StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\r'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the connection was closed");
            }
            line.write(next);
        }
        if (in.read() != '\n') {
            throw new IOException("not the protocol of Redis");
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
