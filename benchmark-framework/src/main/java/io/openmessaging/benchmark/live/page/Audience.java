package io.openmessaging.benchmark.live.page;

import java.util.function.Supplier;

/** Receives messages. */
@FunctionalInterface
interface Audience {

    /** Tells all readers; the message is only made if there is one. Never waits. */
    void tell(Supplier<PageEvent> message);
}
