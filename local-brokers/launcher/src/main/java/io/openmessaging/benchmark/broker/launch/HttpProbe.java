package io.openmessaging.benchmark.broker.launch;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Asks a node by HTTP. A node that does not answer is not ready yet: the starter sets the limit. */
public final class HttpProbe {

    private static final int ANSWER_LIMIT_MS = 5_000;

    private HttpProbe() {}

    /**
     * An answer.
     *
     * @param status 0 if there is none
     * @param text empty unless the status is 200
     */
    public record ProbeAnswer(int status, String text) {}

    /**
     * Asks once.
     *
     * @param address {@code host:port}
     * @param token shown to those who ask for one; empty for none
     * @param tls null for connections that are not encrypted
     */
    public static ProbeAnswer ask(String address, String path, String token, @Nullable SSLContext tls) {
        try {
            URL url = new URL((tls == null ? "http://" : "https://") + address + path);
            HttpURLConnection connection = (HttpURLConnection) url.openConnection();
            if (tls != null && connection instanceof HttpsURLConnection encrypted) {
                encrypted.setSSLSocketFactory(tls.getSocketFactory());
            }
            connection.setConnectTimeout(ANSWER_LIMIT_MS);
            connection.setReadTimeout(ANSWER_LIMIT_MS);
            // One that is kept would still be there when the broker is to end.
            connection.setRequestProperty("Connection", "close");
            if (!token.isEmpty()) {
                connection.setRequestProperty("Authorization", "Bearer " + token);
            }
            int status = connection.getResponseCode();
            if (status != HttpURLConnection.HTTP_OK) {
                return new ProbeAnswer(status, "");
            }
            try (InputStream text = connection.getInputStream()) {
                return new ProbeAnswer(status, new String(text.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            return new ProbeAnswer(0, "");
        }
    }
}
