package io.openmessaging.benchmark.broker.launch;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Asks a node by HTTP whether it is ready. A node that does not answer is not ready yet: the starter sets the limit. */
public final class HttpProbe {

    private static final int ANSWER_LIMIT_MS = 5_000;

    private HttpProbe() {}

    /**
     * Whether the answer has one of these statuses.
     *
     * @param address {@code host:port}
     */
    public static boolean answers(String address, String path, Set<Integer> statuses) {
        try {
            return statuses.contains(connection(address, path).getResponseCode());
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The text of an answer; empty while there is none, or one of an error.
     *
     * @param address {@code host:port}
     */
    public static String answer(String address, String path) {
        try (InputStream answer = connection(address, path).getInputStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static HttpURLConnection connection(String address, String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL("http://" + address + path).openConnection();
        connection.setConnectTimeout(ANSWER_LIMIT_MS);
        connection.setReadTimeout(ANSWER_LIMIT_MS);
        // One that is kept would still be there when the broker is to end.
        connection.setRequestProperty("Connection", "close");
        return connection;
    }
}
