package io.openmessaging.benchmark.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.Comparator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where a broker listens for clients. What clients do not need, such as the traffic between nodes, listens on {@link
 * #LOOPBACK} in any case.
 *
 * @param host an IPv4 address, which is not checked here: see {@link #ofThisMachine}
 */
public record ListenAddress(String host) {

    /** No other machine reaches it. */
    public static final ListenAddress LOOPBACK = new ListenAddress("127.0.0.1");

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");

    private static final String LOOPBACK_NETWORK = "127.";

    /**
     * An address that a user has written. Names are not taken: clients elsewhere may know another address by them. Nor is
     * {@code 0.0.0.0}: brokers tell clients the address under which to come back.
     *
     * @throws IllegalArgumentException with a sentence for the user if it is no IPv4 address of this machine
     */
    public static ListenAddress ofThisMachine(String host) {
        if (!IPV4.matcher(host).matches() || !isOfThisMachine(host)) {
            throw new IllegalArgumentException(
                    "host must be an IPv4 address of this machine (" + those() + "), got " + host);
        }
        return new ListenAddress(host);
    }

    /** Whether only programs on this machine can reach it. */
    public boolean isLoopback() {
        return host.startsWith(LOOPBACK_NETWORK);
    }

    /** {@code host:port}. */
    public String withPort(int port) {
        return host + ":" + port;
    }

    private static boolean isOfThisMachine(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            return NetworkInterface.getByInetAddress(address) != null
                    || address.isLoopbackAddress() && canBeListenedOn(address);
        } catch (IOException e) {
            return false;
        }
    }

    /** Of the loopback network, Linux has all addresses without listing them; other systems have one. */
    private static boolean canBeListenedOn(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.isBound();
        }
    }

    /** The safe one first, then those of networks: a machine with containers has many. */
    private static String those() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .map(InetAddress::getHostAddress)
                    .filter(address -> IPV4.matcher(address).matches())
                    .map(ListenAddress::new)
                    .sorted(Comparator.comparing((ListenAddress address) -> !address.isLoopback())
                            .thenComparing(ListenAddress::host))
                    .map(ListenAddress::host)
                    .collect(Collectors.joining(", "));
        } catch (SocketException e) {
            return LOOPBACK.host;
        }
    }
}
