package io.openmessaging.benchmark.worker.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Recognizes this machine's loopback addresses, which nobody else can reach or listen to. */
public final class Loopback {

    /** Numeric addresses, which need no name lookup. */
    private static final Pattern NUMBER = Pattern.compile("[0-9.]+|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*]?");

    private Loopback() {}

    /** Returns whether a host is {@code localhost} or a numeric loopback address; other names are not looked up. */
    public static boolean isName(String host) {
        try {
            return host.equalsIgnoreCase("localhost")
                    || NUMBER.matcher(host).matches()
                            && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
