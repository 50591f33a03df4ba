package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Default;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.jspecify.annotations.Nullable;

/**
 * Encryption of the connections. The presence of the block, even if empty, turns it on.
 *
 * @param trustStorePath store of trusted certificates; null for those of the JDK
 * @param trustStorePassword password of that store
 * @param keyStorePath store with the client's own certificate; null for none
 * @param keyStorePassword password of that store
 * @param verifyHost true if the broker's certificate must name the host connected to
 */
public record ArtemisTls(
        @Nullable String trustStorePath,
        @Nullable String trustStorePassword,
        @Nullable String keyStorePath,
        @Nullable String keyStorePassword,
        @Default("true") boolean verifyHost) {

    /** These settings as parameters of Artemis. */
    Map<String, Object> transportParameters() {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put(TransportConstants.SSL_ENABLED_PROP_NAME, true);
        parameters.put(TransportConstants.VERIFY_HOST_PROP_NAME, verifyHost);
        put(parameters, TransportConstants.TRUSTSTORE_PATH_PROP_NAME, trustStorePath);
        put(parameters, TransportConstants.TRUSTSTORE_PASSWORD_PROP_NAME, trustStorePassword);
        put(parameters, TransportConstants.KEYSTORE_PATH_PROP_NAME, keyStorePath);
        put(parameters, TransportConstants.KEYSTORE_PASSWORD_PROP_NAME, keyStorePassword);
        return parameters;
    }

    /** These settings as options of Qpid. */
    Map<String, String> qpidOptions() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("verifyHost", Boolean.toString(verifyHost));
        put(options, "trustStoreLocation", trustStorePath);
        put(options, "trustStorePassword", trustStorePassword);
        put(options, "keyStoreLocation", keyStorePath);
        put(options, "keyStorePassword", keyStorePassword);
        return options;
    }

    private static void put(Map<String, ? super String> parameters, String name, @Nullable String value) {
        if (value != null) {
            parameters.put(name, value);
        }
    }
}
