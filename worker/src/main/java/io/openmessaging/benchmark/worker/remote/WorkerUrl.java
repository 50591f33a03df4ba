package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.transport.Loopback;
import java.net.URI;
import java.net.UnknownHostException;

/**
 * Where a worker is.
 *
 * @param number of the worker, from 1
 * @param uri without a path
 */
record WorkerUrl(int number, URI uri) {

    private static final int MAX_PORT = 65_535;

    /**
     * Takes a URL as the user wrote it.
     *
     * @throws WorkerException if it is none of a worker
     */
    static WorkerUrl parse(int number, String text) throws WorkerException {
        URI uri;
        try {
            uri = URI.create(text.strip());
        } catch (IllegalArgumentException e) {
            throw refused(number, text);
        }
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        boolean bare = (uri.getPath() == null
                        || uri.getPath().isEmpty()
                        || uri.getPath().equals("/"))
                && uri.getQuery() == null
                && uri.getUserInfo() == null;
        if (!http || uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > MAX_PORT || !bare) {
            throw refused(number, text);
        }
        return new WorkerUrl(number, URI.create(uri.getScheme() + "://" + uri.getHost() + ":" + uri.getPort()));
    }

    private static WorkerException refused(int number, String text) {
        return new WorkerException("worker " + number + ": must be a URL with a port, such as https://w" + number
                + ":8080, got '" + text + "'");
    }

    boolean isSecure() {
        return uri.getScheme().equals("https");
    }

    /** Whether what is said to it stays on this machine. */
    boolean isLocal() throws WorkerException {
        try {
            return Loopback.isLocal(uri.getHost());
        } catch (UnknownHostException e) {
            throw new WorkerException(this + ": the name " + uri.getHost() + " is not known here", e);
        }
    }

    URI path(String path) {
        return uri.resolve(path);
    }

    @Override
    public String toString() {
        return "worker " + number + " (" + uri + ")";
    }
}
