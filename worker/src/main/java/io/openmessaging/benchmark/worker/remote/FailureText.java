package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.transport.NameLookup;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Explains why a worker has not answered, in words for the user who has to fix it. */
final class FailureText {

    private FailureText() {}

    /** Explains an error of the HTTP client. */
    static String describe(WorkerUrl url, WorkerTimeouts timeouts, IOException error) {
        if (find(error, UnresolvedAddressException.class) != null) {
            return NameLookup.unresolved(url.host());
        }
        if (error instanceof HttpConnectTimeoutException) {
            return "no connection within " + timeouts.describe(WorkerTimeout.CONNECT)
                    + ": the machine is down or too busy, or a firewall blocks port " + url.port();
        }
        if (error instanceof HttpTimeoutException) {
            return "no answer within " + timeouts.describe(WorkerTimeout.ANSWER);
        }
        if (error instanceof ConnectException) {
            return "nothing listens there; start "
                    + (url.isSecure()
                            ? "'bin/benchmark workers start --ssh " + url.host() + "' here, or 'bin/benchmark-worker"
                                    + " --host 0.0.0.0 --port " + url.port() + " --key FILE' on it"
                            : "'bin/benchmark-worker --port " + url.port()
                                    + "' on it, with --host to be reached from elsewhere");
        }
        SSLException tls = find(error, SSLException.class);
        if (tls != null) {
            return ofTls(tls);
        }
        if (!url.isSecure() && isNoHttp(error)) {
            return "the server there does not speak http; use https:// and --key if it has a key";
        }
        return "the connection broke (" + error.getMessage() + ")";
    }

    /** Returns whether a later attempt would fail, too: the other side has another key, or is no worker. */
    static boolean isLasting(IOException error) {
        return find(error, SSLException.class) != null || isNoHttp(error);
    }

    private static String ofTls(SSLException error) {
        String text = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        if (text.contains("unsupported or unrecognized ssl message") || text.contains("plaintext")) {
            return "the server there does not speak https; use http://, or start the worker with --key";
        }
        CertificateException refused = find(error, CertificateException.class);
        if (refused != null) {
            return "its certificate is not accepted: " + refused.getMessage();
        }
        if (text.contains("bad_certificate") || text.contains("certificate_unknown") || text.contains("unknown_ca")) {
            return "it does not accept this side's key; copy one key file to all machines";
        }
        return "no secure connection (" + error.getMessage() + ")";
    }

    /** A server that expects TLS reacts to plain text by closing the connection or by answering in TLS. */
    private static boolean isNoHttp(IOException error) {
        String text = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        return text.contains("received no bytes") || text.contains("invalid status line") || text.contains("parsing");
    }

    private static <T extends Throwable> @Nullable T find(Throwable error, Class<T> type) {
        for (Throwable at = error; at != null; at = at.getCause()) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
        }
        return null;
    }
}
