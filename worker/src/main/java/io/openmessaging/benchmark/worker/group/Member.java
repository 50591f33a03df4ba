package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A worker of a group and the state of its connection. Requests come one at a time. All other methods may be called by
 * any thread; no method waits.
 */
public interface Member {

    /** The name of the worker for people: {@code worker 3 (host:8080)}. */
    String name();

    /**
     * Sends a request.
     *
     * @return the answer; fails with a {@link io.openmessaging.benchmark.driver.DriverException} if none arrives. A
     *     request to a worker that does not answer lasts until the worker counts as lost
     */
    CompletableFuture<WireReply> exchange(Request request, byte[] body);

    /** Gives up the latest request: it is interrupted at the worker and ends soon. */
    void giveUp();

    /** The reason why the worker is lost, as a sentence; empty while it is not. A lost worker stays lost. */
    Optional<String> lost();

    /** The current time for a request and its answer, in nanoseconds. */
    long roundTripNs();

    /** The current offset of the worker's clock from the coordinator's. */
    Offset clock();

    /** The progress of a long request, such as {@code 4,000 of 10,000 producers}; empty while there is none. */
    String progress();
}
