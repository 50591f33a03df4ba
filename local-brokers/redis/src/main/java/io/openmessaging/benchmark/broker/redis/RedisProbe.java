package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks a Redis whether it serves clients. */
final class RedisProbe {

    private static final int TIMEOUT_MS = 1000;

    /** Behind a password it says so instead; while it loads its data it says yet something else. */
    private static final String PONG = "+PONG";

    private static final String PASSWORD_WANTED = "-NOAUTH";

    private RedisProbe() {}

    /** Whether a PING is answered, within a second, by a server that is done with loading. */
    static boolean serves(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(LoopbackPorts.HOST, port), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            OutputStream out = socket.getOutputStream();
            out.write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(PONG.length()), StandardCharsets.US_ASCII);
            return answer.equals(PONG) || PASSWORD_WANTED.startsWith(answer) && answer.length() == PONG.length();
        } catch (IOException e) {
            // Not yet. The starter sets the limit.
            return false;
        }
    }
}
