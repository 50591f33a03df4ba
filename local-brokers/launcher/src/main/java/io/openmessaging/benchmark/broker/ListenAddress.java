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
 * The address on which a broker listens for clients. Anything that clients do not need, such as the traffic between
 * nodes, always listens on {@link #LOOPBACK}.
 *
 * @param host an IPv4 address, not checked here: see {@link #ofThisMachine}
 */
public record ListenAddress(String host) {

    /** The address that no other machine reaches. */
    public static final ListenAddress LOOPBACK = new ListenAddress("127.0.0.1");

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");

    private static final String LOOPBACK_NETWORK = "127.";

    /**
     * Returns an address that a user has written. Names are refused, since clients elsewhere may resolve them to
     * another address. So is {@code 0.0.0.0}, since brokers send clients the address to connect to.
     *
     * @throws IllegalArgumentException with a sentence for the user if it is not an IPv4 address of this machine
     */
    public static ListenAddress ofThisMachine(String host) {
        if (!IPV4.matcher(host).matches() || !isOfThisMachine(host)) {
            throw new IllegalArgumentException(
                    "host must be an IPv4 address of this machine (" + those() + "), got " + host);
        }
        return new ListenAddress(host);
    }

    /** Returns whether only programs on this machine can reach the address. */
    public boolean isLoopback() {
        return host.startsWith(LOOPBACK_NETWORK);
    }

    /** Returns {@code host:port}. */
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

    /** Linux has all addresses of the loopback network without listing them; other systems have one. */
    private static boolean canBeListenedOn(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.isBound();
        }
    }

    /**
     * Lists the addresses of this machine: first loopback, the safe one, then those of networks, of which a machine
     * with containers has many.
     */
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
