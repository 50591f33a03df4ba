package io.openmessaging.benchmark.driver.kafka.clients;

import java.security.Provider;
import java.security.Security;
import java.util.Map;
import javax.security.auth.callback.CallbackHandler;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslClientFactory;
import javax.security.sasl.SaslException;
import org.apache.kafka.common.security.oauthbearer.internals.OAuthBearerSaslClient.OAuthBearerSaslClientFactory;
import org.apache.kafka.common.security.scram.internals.ScramSaslClient.ScramSaslClientFactory;
import org.jspecify.annotations.Nullable;

/**
 * Provider of the SASL clients of this class loader. Kafka registers its clients with the JVM under a fixed name, so
 * only the first class loader that contains Kafka's library can log in: others get clients that do not know their
 * callbacks. This provider precedes Kafka's, and leaves callers from other class loaders to the other providers.
 */
public final class OwnSaslClients extends Provider {

    private static final long serialVersionUID = 1L;

    private static final String FACTORY = "SaslClientFactory.";

    /** Installs the provider once, when this class is initialized. */
    private static final boolean INSTALLED = Security.insertProviderAt(new OwnSaslClients(), 1) > 0;

    private OwnSaslClients() {
        super(
                "Kafka's SASL clients " + Integer.toHexString(System.identityHashCode(OwnSaslClients.class)),
                "1.0",
                "of one class loader");
        put(FACTORY + "SCRAM-SHA-256", OfScram.class.getName());
        put(FACTORY + "SCRAM-SHA-512", OfScram.class.getName());
        put(FACTORY + "OAUTHBEARER", OfTokens.class.getName());
    }

    /** Makes sure that the provider is installed; returns false if the JVM refused it. */
    public static boolean install() {
        return INSTALLED;
    }

    /** Delegates to Kafka's factory for callers of this class loader. */
    abstract static class Factory implements SaslClientFactory {

        private final SaslClientFactory ofKafka;

        Factory(SaslClientFactory ofKafka) {
            this.ofKafka = ofKafka;
        }

        @Override
        public @Nullable SaslClient createSaslClient(
                String[] mechanisms,
                @Nullable String authorizationId,
                String protocol,
                String serverName,
                Map<String, ?> properties,
                CallbackHandler callbacks)
                throws SaslException {
            boolean own = callbacks.getClass().getClassLoader() == OwnSaslClients.class.getClassLoader();
            return own
                    ? ofKafka.createSaslClient(mechanisms, authorizationId, protocol, serverName, properties, callbacks)
                    : null;
        }

        @Override
        public String[] getMechanismNames(Map<String, ?> properties) {
            return ofKafka.getMechanismNames(properties);
        }
    }

    /** Created by the JVM by name. */
    public static final class OfScram extends Factory {

        public OfScram() {
            super(new ScramSaslClientFactory());
        }
    }

    /** Created by the JVM by name. */
    public static final class OfTokens extends Factory {

        public OfTokens() {
            super(new OAuthBearerSaslClientFactory());
        }
    }
}
