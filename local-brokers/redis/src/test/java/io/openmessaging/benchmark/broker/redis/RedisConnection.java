package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.suite.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection with the part of Redis' protocol that the tests use: a command with arguments, answered by a line or a
 * list of strings.
 */
final class RedisConnection implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader in;

    private RedisConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    static RedisConnection to(RunningBroker broker) throws IOException {
        String[] address = broker.addresses().get(0).split(":");
        Socket socket = new Socket(address[0], Integer.parseInt(address[1]));
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        return new RedisConnection(socket);
    }

    /** Sends a command and returns its answer, which may be an error, as strings. */
    List<String> call(String... words) throws IOException {
        StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            command.append('$')
                    .append(word.length())
                    .append("\r\n")
                    .append(word)
                    .append("\r\n");
        }
        socket.getOutputStream().write(command.toString().getBytes(StandardCharsets.US_ASCII));
        String first = in.readLine();
        if (!first.startsWith("*")) {
            return List.of(string(first));
        }
        List<String> answer = new ArrayList<>();
        for (int left = Integer.parseInt(first.substring(1)); left > 0; left--) {
            answer.add(string(in.readLine()));
        }
        return answer;
    }

    private String string(String first) throws IOException {
        return first.startsWith("$") ? in.readLine() : first;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
