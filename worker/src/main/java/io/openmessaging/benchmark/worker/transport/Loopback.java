package io.openmessaging.benchmark.worker.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** What is this machine's own, which nobody else can reach or listen to. */
public final class Loopback {

    /** Nothing that has to be looked up: what a name stands for is for others to say. */
    private static final Pattern ADDRESS = Pattern.compile("127(\\.\\d{1,3}){3}|\\[?(0*:)*:?0*1]?");

    private Loopback() {}

    /** Whether a host in a URL is a loopback address, or {@code localhost}. */
    public static boolean isName(String host) {
        return host.equalsIgnoreCase("localhost") || ADDRESS.matcher(host).matches();
    }

    /**
     * Whether a name stands for a loopback address.
     *
     * @throws UnknownHostException if it stands for nothing
     */
    public static boolean isLocal(String host) throws UnknownHostException {
        return isName(host) || InetAddress.getByName(host).isLoopbackAddress();
    }
}
