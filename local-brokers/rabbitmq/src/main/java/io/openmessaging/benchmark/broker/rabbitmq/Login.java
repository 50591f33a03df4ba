package io.openmessaging.benchmark.broker.rabbitmq;

import java.util.Map;

/**
 * Who may use a new broker: what RabbitMQ creates at its first start.
 *
 * @param user {@code guest} unless the user's settings say otherwise
 * @param password {@code guest} unless they do
 * @param virtualHost {@code /} unless they do
 */
record Login(String user, String password, String virtualHost) {

    static Login of(Map<String, String> settings) {
        return new Login(
                settings.getOrDefault("default_user", "guest"),
                settings.getOrDefault("default_pass", "guest"),
                settings.getOrDefault("default_vhost", "/"));
    }
}
