package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.worker.transport.Loopback;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers requests for the page and its events, and refuses everything else. No thread of the server waits for a
 * client.
 */
final class PageHandler extends Handler.Abstract.NonBlocking {

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String PAGE = "/";
    private static final String EVENTS = "/events";

    private final Readers readers;
    private final PageFile page = PageFile.read();

    /** The required first part of each path; empty if everybody who reaches loopback has access. */
    private final Optional<String> token;

    PageHandler(Readers readers, Optional<String> token) {
        this.readers = readers;
        this.token = token;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        if (token.isEmpty() && !Loopback.isName(Request.getServerName(request))) {
            // A foreign page can have a host name that resolves to this address.
            refuse(response, callback, HttpStatus.FORBIDDEN_403, "open this page as 127.0.0.1 or localhost");
        } else if (token.isPresent() && !isOpenedBy(path, token.get())) {
            refuse(response, callback, HttpStatus.FORBIDDEN_403, "open the address that the benchmark has printed");
        } else if (!request.getMethod().equals("GET")) {
            refuse(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, "this page can only be read");
        } else {
            answer(
                    request,
                    response,
                    callback,
                    path.substring(token.map(key -> key.length() + 1).orElse(0)));
        }
        return true;
    }

    /** Compares in constant time, wherever the first difference is. */
    private static boolean isOpenedBy(String path, String key) {
        int end = path.indexOf('/', 1);
        byte[] given = path.substring(Math.min(1, path.length()), end < 0 ? path.length() : end)
                .getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(key.getBytes(StandardCharsets.UTF_8), given);
    }

    private void answer(Request request, Response response, Callback callback, String path) {
        switch (path) {
            case PAGE -> page(response, callback);
            case EVENTS -> follow(request, response, callback);
            case "" -> Response.sendRedirect(request, response, callback, Request.getPathInContext(request) + "/");
            default -> refuse(response, callback, HttpStatus.NOT_FOUND_404, "there is no such page");
        }
    }

    private void page(Response response, Callback callback) {
        HttpFields.Mutable headers = headers(response, "text/html; charset=utf-8");
        headers.put("Content-Security-Policy", page.policy());
        response.write(true, ByteBuffer.wrap(page.html()), callback);
    }

    private void follow(Request request, Response response, Callback callback) {
        headers(response, "text/event-stream");
        if (!readers.follow(request, response, callback)) {
            refuse(
                    response,
                    callback,
                    HttpStatus.SERVICE_UNAVAILABLE_503,
                    "too many readers; close this page elsewhere");
        }
    }

    /** Answers with one line that reveals nothing of the request or of internals. */
    static boolean refuseMalformed(Request request, Response response, Callback callback) {
        refuse(response, callback, response.getStatus(), "refused: " + response.getStatus());
        return true;
    }

    private static void refuse(Response response, Callback callback, int status, String sentence) {
        response.setStatus(status);
        headers(response, TEXT);
        response.write(true, ByteBuffer.wrap((sentence + "\n").getBytes(StandardCharsets.UTF_8)), callback);
    }

    private static HttpFields.Mutable headers(Response response, String type) {
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, type);
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        return headers;
    }

    /**
     * The page, one file, and the browser's policy for it: run its own script, identified by its digest, use its own
     * style, and follow events from its own origin. Nothing else is loaded or run, whatever a name in the data may
     * contain.
     *
     * @param html the file, UTF-8
     * @param policy the Content-Security-Policy
     */
    record PageFile(byte[] html, String policy) {

        private static final String NAME = "page.html";

        /** Reads the file that belongs to the program. */
        static PageFile read() {
            try (InputStream in = Objects.requireNonNull(PageFile.class.getResourceAsStream(NAME), NAME)) {
                byte[] html = in.readAllBytes();
                return new PageFile(html, policy(new String(html, StandardCharsets.UTF_8)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String policy(String html) {
            return "default-src 'none'; script-src '" + digest(within(html, "script")) + "'; style-src '"
                    + digest(within(html, "style"))
                    + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";
        }

        /** Returns the content of the only element with that name. */
        private static String within(String html, String element) {
            int begin = html.indexOf("<" + element + ">") + element.length() + 2;
            return html.substring(begin, html.indexOf("</" + element + ">", begin));
        }

        private static String digest(String text) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
                return "sha256-" + Base64.getEncoder().encodeToString(digest);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every JDK has SHA-256", e);
            }
        }
    }
}
