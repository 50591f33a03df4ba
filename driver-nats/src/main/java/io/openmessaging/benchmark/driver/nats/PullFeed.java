package io.openmessaging.benchmark.driver.nats;

import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.impl.Headers;
import io.nats.client.support.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Requests messages of a durable consumer. The server answers a request with that many messages, or says how many are
 * missing when the request expires or its node shuts down; until then, it sends a sign of life every two seconds. A
 * request without one is lost, as with a node that was killed, and is made again.
 */
final class PullFeed implements Feed {

    private static final Duration EXPIRY = Duration.ofSeconds(30);
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(2);

    /** Time without a sign of life after which a request counts as lost. */
    private static final long SILENCE_NS = SIGN_OF_LIFE.multipliedBy(2).toNanos();

    /** Keeps a consumer whose requests are refused from repeating them at full speed. */
    private static final long PAUSE_AFTER_ERROR_NS = Duration.ofMillis(100).toNanos();

    private static final int IDLE_HEARTBEAT = 100;
    private static final String MISSING = "Nats-Pending-Messages";

    private final NatsLink link;
    private final String requests;
    private final boolean acknowledges;
    private String inbox = "";
    private int requested;
    private long heardNs;
    private long notBeforeNs;
    private volatile boolean forgotten;

    /**
     * Creates a feed.
     *
     * @param requests subject for requests to the durable consumer
     * @param acknowledges false if the server expects no acknowledgements
     */
    PullFeed(NatsLink link, String requests, boolean acknowledges) {
        this.link = link;
        this.requests = requests;
        this.acknowledges = acknowledges;
    }

    @Override
    public Subscription subscribe() {
        inbox = link.connection().createInbox();
        requested = 0;
        heardNs = System.nanoTime();
        notBeforeNs = heardNs;
        return link.connection().subscribe(inbox);
    }

    @Override
    public void regained() {
        forgotten = true;
    }

    @Override
    public void request(int most) {
        if (forgotten) {
            forgotten = false;
            requested = 0;
        }
        if (requested > most / 2) {
            return;
        }
        long now = System.nanoTime();
        if (now - notBeforeNs >= 0) {
            int more = most - requested;
            requested = most;
            heardNs = now;
            String request = "{\"batch\":" + more + ",\"expires\":" + EXPIRY.toNanos() + ",\"idle_heartbeat\":"
                    + SIGN_OF_LIFE.toNanos() + "}";
            link.connection().publish(requests, inbox, request.getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Override
    public void idle() {
        if (System.nanoTime() - heardNs > SILENCE_NS) {
            requested = 0;
        }
    }

    @Override
    public boolean accept(Message message) {
        heardNs = System.nanoTime();
        if (!message.isStatusMessage()) {
            requested = Math.max(0, requested - 1);
            return true;
        }
        Status status = message.getStatus();
        if (status.getCode() != IDLE_HEARTBEAT) {
            ended(message.getHeaders());
        }
        return false;
    }

    private void ended(@Nullable Headers headers) {
        String missing = headers == null ? null : headers.getFirst(MISSING);
        if (missing == null) {
            requested = 0;
            notBeforeNs = System.nanoTime() + PAUSE_AFTER_ERROR_NS;
        } else {
            requested = Math.max(0, requested - Integer.parseInt(missing));
        }
    }

    @Override
    public boolean isStored() {
        return true;
    }

    @Override
    public boolean acknowledges() {
        return acknowledges;
    }
}
