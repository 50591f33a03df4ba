package io.openmessaging.benchmark.live.page;

import java.util.function.Supplier;

/** Who is told messages. */
@FunctionalInterface
interface Audience {

    /** Tells everybody; the message is only made if there is somebody. Never waits. */
    void tell(Supplier<Message> message);
}
