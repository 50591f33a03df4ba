package io.openmessaging.benchmark.driver.artemis;

import org.apache.activemq.artemis.api.core.RoutingType;

/** How an address passes messages on to its queues. */
public enum Routing {

    /** To all of them: publish and subscribe. Each subscription is a queue. */
    MULTICAST(RoutingType.MULTICAST),

    /** To one of them: point to point. There is one queue, hence one subscription. */
    ANYCAST(RoutingType.ANYCAST);

    private final RoutingType type;

    Routing(RoutingType type) {
        this.type = type;
    }

    RoutingType type() {
        return type;
    }
}
