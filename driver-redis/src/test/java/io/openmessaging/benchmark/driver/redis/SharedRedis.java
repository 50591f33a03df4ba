package io.openmessaging.benchmark.driver.redis;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import redis.clients.jedis.Jedis;

/** One Redis for all test classes of this module: started by the first that asks, closed after the last. */
final class SharedRedis implements BeforeAllCallback {

    /** May do everything but send messages. */
    static final String READER = "reader";

    static final String READER_PASSWORD = "of-the-reader";

    private static final Namespace NAMESPACE = Namespace.create(SharedRedis.class);

    private static volatile @Nullable LocalRedis shared;

    @Override
    public void beforeAll(ExtensionContext context) {
        shared = context.getRoot()
                .getStore(StoreScope.EXECUTION_REQUEST, NAMESPACE)
                .computeIfAbsent("redis", key -> start(), LocalRedis.class);
    }

    private static LocalRedis start() {
        try {
            LocalRedis redis = LocalRedis.start(Map.of());
            try (Jedis jedis = redis.jedis()) {
                jedis.aclSetUser(
                        READER, "on", ">" + READER_PASSWORD, "~*", "&*", "+@all", "-xadd", "-publish", "-lpush");
            }
            return redis;
        } catch (Exception e) {
            throw new IllegalStateException("no local Redis could be started", e);
        }
    }

    static LocalRedis get() {
        return Objects.requireNonNull(shared, "started before the tests");
    }
}
