package io.openmessaging.benchmark.live.page;

import java.util.function.Supplier;

/** The receivers of page events. */
@FunctionalInterface
interface Audience {

    /** Sends an event to all readers; the event is only created if there is a reader. Never waits. */
    void tell(Supplier<PageEvent> message);
}
