package io.openmessaging.benchmark.live.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Objects;

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
                + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
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
