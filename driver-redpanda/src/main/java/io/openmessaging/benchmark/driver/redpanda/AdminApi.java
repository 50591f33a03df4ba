package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Calls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The part of Redpanda's Admin API that identifies the system, {@code /v1/brokers}, {@code /v1/features} and {@code
 * /public_metrics}, and that has a setting on which the guarantee depends, {@code /v1/cluster_config}.
 */
final class AdminApi {

    private static final int USUAL_PORT = 9644;

    /** Limit of each request. A reachable Admin API answers within milliseconds. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private static final int OK = 200;

    private final List<String> urls;
    private final @Nullable String authorization;
    private final @Nullable String metricsUrl;
    private final Duration timeout;
    private final HttpClient client;

    private AdminApi(List<String> urls, @Nullable String authorization, @Nullable String metricsUrl, Duration timeout) {
        this.urls = urls;
        this.authorization = authorization;
        this.metricsUrl = metricsUrl;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder().connectTimeout(timeout).build();
    }

    /**
     * Creates the Admin API of a configuration.
     *
     * @param kafkaAddresses addresses whose hosts are tried if the configuration does not name the Admin API
     */
    static AdminApi of(RedpandaConfig config, List<String> kafkaAddresses) {
        return of(config, kafkaAddresses, TIMEOUT);
    }

    /** Does the same with another limit for each request. */
    static AdminApi of(RedpandaConfig config, List<String> kafkaAddresses, Duration timeout) {
        List<String> urls = config.adminApi().isEmpty() ? onUsualPort(kafkaAddresses) : config.adminApi();
        return new AdminApi(
                urls.stream().map(url -> url.replaceFirst("/$", "")).toList(),
                config.adminUser() == null ? null : basic(config.adminUser() + ":" + config.adminPassword()),
                config.metricsUrl(),
                timeout);
    }

    private static List<String> onUsualPort(List<String> kafkaAddresses) {
        return kafkaAddresses.stream()
                .map(address -> address.substring(0, address.lastIndexOf(':')))
                .distinct()
                .map(host -> "http://" + host + ":" + USUAL_PORT)
                .toList();
    }

    private static String basic(String login) {
        return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }

    List<String> urls() {
        return urls;
    }

    /**
     * Queries the nodes in turn until one of them answers as Redpanda does. Never fails: refusals are part of the
     * answer.
     */
    AdminAnswer ask() throws InterruptedException {
        List<String> refusals = new ArrayList<>();
        for (String url : urls) {
            try {
                List<AdminAnswer.BrokerEntry> brokers = brokers(json(url + "/v1/brokers"));
                Map<String, String> settings = new TreeMap<>(features(url));
                settings.putAll(writeCaching(url));
                settings.putAll(metrics(metricsUrl == null ? url + "/public_metrics" : metricsUrl));
                return new AdminAnswer(url, brokers, settings, List.of());
            } catch (IOException e) {
                refusals.add(url + ": " + Calls.message(e));
            }
        }
        return new AdminAnswer("", List.of(), Map.of(), refusals);
    }

    private static List<AdminAnswer.BrokerEntry> brokers(JsonNode json) throws IOException {
        List<AdminAnswer.BrokerEntry> brokers = new ArrayList<>();
        for (JsonNode broker : json) {
            // Fields that every version of Redpanda has for a broker, and hardly any other system.
            if (!broker.path("node_id").isInt()
                    || !broker.path("num_cores").isInt()
                    || !broker.path("membership_status").isString()) {
                throw new IOException("answers /v1/brokers, but not as Redpanda does");
            }
            brokers.add(new AdminAnswer.BrokerEntry(
                    broker.path("node_id").intValue(),
                    broker.path("num_cores").intValue(),
                    Optional.of(broker.path("version"))
                            .filter(JsonNode::isString)
                            .map(JsonNode::stringValue)));
        }
        if (brokers.isEmpty()) {
            throw new IOException("answers /v1/brokers, but lists no broker");
        }
        return brokers;
    }

    /** Returns the logical version, which determines formats and features; empty if it is not reported. */
    private Map<String, String> features(String url) throws InterruptedException {
        try {
            JsonNode version = json(url + "/v1/features").path("cluster_version");
            return version.isInt() ? Map.of("cluster version", Integer.toString(version.intValue())) : Map.of();
        } catch (IOException e) {
            return Map.of();
        }
    }

    /** Returns whether the messages of a topic are cached by default; empty if this user is not told. */
    private Map<String, String> writeCaching(String url) throws InterruptedException {
        String name = RedpandaGuarantee.WRITE_CACHING_DEFAULT;
        try {
            String value = json(url + "/v1/cluster_config?include_defaults=true")
                    .path(name)
                    .asString("");
            return value.isEmpty() ? Map.of() : Map.of(name, value);
        } catch (IOException e) {
            return Map.of();
        }
    }

    /** Returns an empty map if the metrics are unavailable: they are worth keeping, but nothing depends on them. */
    private Map<String, String> metrics(String url) throws InterruptedException {
        try {
            return PublicMetrics.settings(text(url));
        } catch (IOException e) {
            return Map.of();
        }
    }

    private JsonNode json(String url) throws IOException, InterruptedException {
        String text = text(url);
        try {
            return JsonMapper.shared().readTree(text);
        } catch (JacksonException e) {
            throw new IOException("answers " + URI.create(url).getPath() + ", but not with JSON", e);
        }
    }

    private String text(String url) throws IOException, InterruptedException {
        Address address = Address.parse(url, RedpandaConfig.URL);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address.uri(address.rest())).timeout(timeout);
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() != OK) {
            throw new IOException("answers " + URI.create(url).getPath() + " with status " + response.statusCode());
        }
        return response.body();
    }

    /**
     * The answer of the Admin API.
     *
     * @param url the URL of the node that answered; empty if none has
     * @param brokers the brokers of the cluster; empty if no node answered as Redpanda does
     * @param settings other settings worth keeping with a result
     * @param refusals for each node, what it answered instead, or why it did not answer
     */
    record AdminAnswer(String url, List<BrokerEntry> brokers, Map<String, String> settings, List<String> refusals) {

        /**
         * One broker.
         *
         * @param nodeId the node id, the same as in Kafka's protocol
         * @param cores the number of cores that it uses
         * @param version such as {@code v24.3.8 - b1dd9f54ab}, with the revision; empty if unknown
         */
        record BrokerEntry(int nodeId, int cores, Optional<String> version) {}

        boolean isOfRedpanda() {
            return !brokers.isEmpty();
        }
    }
}
