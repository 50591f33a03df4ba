package io.openmessaging.benchmark.broker.pulsar;

import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URL;

/** Whether the broker serves clients: its ports are open and the namespace that is created last is there. */
final class Readiness {

    private static final int ANSWER_LIMIT_MS = 5_000;

    private final StandalonePorts ports;

    Readiness(StandalonePorts ports) {
        this.ports = ports;
    }

    boolean isReached() {
        // The client's port first: an attempt to open it is cheap, and the broker opens both at about the same time.
        return listens(ports.client()) && namespaceAnswers();
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(LoopbackPorts.HOST, port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private boolean namespaceAnswers() {
        try {
            URL url = new URL("http", LoopbackPorts.HOST, ports.http(), "/admin/v2/namespaces/public/default");
            HttpURLConnection connection = (HttpURLConnection) url.openConnection();
            connection.setConnectTimeout(ANSWER_LIMIT_MS);
            connection.setReadTimeout(ANSWER_LIMIT_MS);
            try {
                int status = connection.getResponseCode();
                // Where the settings ask for a login, there is none here, and being refused is all there is to see.
                return status == HttpURLConnection.HTTP_OK || status == HttpURLConnection.HTTP_UNAUTHORIZED;
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            return false;
        }
    }
}
