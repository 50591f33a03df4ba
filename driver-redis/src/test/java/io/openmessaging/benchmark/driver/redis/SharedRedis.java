package io.openmessaging.benchmark.driver.redis;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/** One Redis for all test classes of this module: started by the first one that uses it, closed after the last. */
final class SharedRedis implements BeforeAllCallback {

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
            return LocalRedis.start(Map.of()).withReader();
        } catch (Exception e) {
            throw new IllegalStateException("no local Redis could be started", e);
        }
    }

    static LocalRedis get() {
        return Objects.requireNonNull(shared, "started before the tests");
    }
}
