package io.openmessaging.benchmark.driver.pulsar;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The URLs of Pulsar, which name one scheme and several hosts: {@code pulsar://a:6650,b:6650}. */
final class ServiceAddresses {

    private static final String HOST = "(?:[\\w.-]+|\\[[0-9a-fA-F:.]+])(?::\\d{1,5})?";
    private static final String HOSTS = HOST + "(?:," + HOST + ")*/?";
    private static final Pattern SERVICE_URL = Pattern.compile("(pulsar(?:\\+ssl)?)://(" + HOSTS + ")");
    private static final Pattern HTTP_URL = Pattern.compile("https?://" + HOSTS);
    private static final String PLAIN = "pulsar";
    private static final String PLAIN_PORT = "6650";
    private static final String TLS_PORT = "6651";

    private ServiceAddresses() {}

    static boolean isServiceUrl(String url) {
        return SERVICE_URL.matcher(url).matches();
    }

    static boolean isHttpUrl(String url) {
        return HTTP_URL.matcher(url).matches();
    }

    /** Each host of a service URL with its port; none if it is no such URL. */
    static List<String> of(String serviceUrl) {
        Matcher url = SERVICE_URL.matcher(serviceUrl);
        if (!url.matches()) {
            return List.of();
        }
        String defaultPort = url.group(1).equals(PLAIN) ? PLAIN_PORT : TLS_PORT;
        return Arrays.stream(url.group(2).replace("/", "").split(","))
                .map(host -> host.matches(".*:\\d{1,5}") && !host.endsWith("]") ? host : host + ":" + defaultPort)
                .toList();
    }

    /** The URL with the same scheme and other hosts. */
    static String with(String serviceUrl, List<String> addresses) {
        Matcher url = SERVICE_URL.matcher(serviceUrl);
        return (url.matches() ? url.group(1) : PLAIN) + "://" + String.join(",", addresses);
    }
}
