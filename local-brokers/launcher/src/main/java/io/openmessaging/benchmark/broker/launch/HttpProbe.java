package io.openmessaging.benchmark.broker.launch;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Queries a node by HTTP. A node that does not answer is not ready yet: the starter sets the limit. */
public final class HttpProbe {

    private static final int ANSWER_LIMIT_MS = 5_000;

    private HttpProbe() {}

    /**
     * An HTTP response.
     *
     * @param status the status code; 0 without a response
     * @param text the body; empty unless the status is 200
     */
    public record ProbeAnswer(int status, String text) {}

    /**
     * Sends one request.
     *
     * @param address {@code host:port}
     * @param token a bearer token; empty for none
     * @param tls the TLS context; null for connections that are not encrypted
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
            // A kept-alive connection would still be open when the broker shuts down.
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
