package io.openmessaging.benchmark.worker.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** What is this machine's own, which nobody else can reach or listen to. */
public final class Loopback {

    /** What stands for itself and is not looked up. */
    private static final Pattern NUMBER = Pattern.compile("[0-9.]+|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*]?");

    private Loopback() {}

    /** Whether a host is {@code localhost} or a loopback address in numbers; other names are not looked up. */
    public static boolean isName(String host) {
        try {
            return host.equalsIgnoreCase("localhost") || NUMBER.matcher(host).matches() && isLocal(host);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /**
     * Whether a name stands for a loopback address.
     *
     * @throws UnknownHostException if it stands for nothing
     */
    public static boolean isLocal(String host) throws UnknownHostException {
        return InetAddress.getByName(host).isLoopbackAddress();
    }
}
