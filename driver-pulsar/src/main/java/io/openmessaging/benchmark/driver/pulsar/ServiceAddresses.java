package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Address.Port;
import io.openmessaging.benchmark.driver.Problems;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Pulsar's URLs, which have one scheme and several hosts: {@code pulsar://a:6650,b:6650}. */
final class ServiceAddresses {

    /** The form of the brokers' URL. */
    static final Address.Form SERVICE = new Address.Form(
            "pulsar://host:port or pulsar+ssl://host:port, several hosts separated by commas",
            List.of("pulsar", "pulsar+ssl"),
            Port.OPTIONAL,
            false,
            false);

    /** The form of the administration's URL. */
    static final Address.Form HTTP = new Address.Form(
            "http://host:port or https://host:port, several hosts separated by commas",
            List.of("http", "https"),
            Port.OPTIONAL,
            false,
            false);

    private static final String PLAIN = "pulsar";
    private static final int PLAIN_PORT = 6650;
    private static final int TLS_PORT = 6651;

    private ServiceAddresses() {}

    /** Adds a problem for the first host that is invalid. */
    static void check(Problems problems, String key, String url, Address.Form form) {
        split(url).stream()
                .map(one -> Address.problem(one, form))
                .flatMap(Optional::stream)
                .findFirst()
                .ifPresent(rule -> problems.add(key, rule, Address.withoutLogin(url)));
    }

    /** Splits into one URL per host. */
    private static List<String> split(String url) {
        String[] hosts = url.strip().split(",", -1);
        int schemeEnd = hosts[0].indexOf("://");
        String scheme = schemeEnd < 0 ? "" : hosts[0].substring(0, schemeEnd + 3);
        return Arrays.stream(hosts)
                .map(host -> host.startsWith(scheme) ? host : scheme + host)
                .toList();
    }

    /** Returns each host of a service URL with its port; none if the URL is invalid. */
    static List<String> of(String serviceUrl) {
        try {
            return split(serviceUrl).stream()
                    .map(one -> Address.parse(one, SERVICE))
                    .map(one -> one.host() + ":" + (one.port() == Address.NO_PORT ? usualPort(one) : one.port()))
                    .toList();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private static int usualPort(Address address) {
        return address.scheme().equals(PLAIN) ? PLAIN_PORT : TLS_PORT;
    }

    /** Returns a URL with the same scheme and other hosts. */
    static String with(String serviceUrl, List<String> addresses) {
        int schemeEnd = serviceUrl.indexOf("://");
        return (schemeEnd < 0 ? PLAIN : serviceUrl.substring(0, schemeEnd)) + "://" + String.join(",", addresses);
    }
}
