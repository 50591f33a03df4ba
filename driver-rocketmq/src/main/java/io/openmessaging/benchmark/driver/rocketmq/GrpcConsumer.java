package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.client.RocketMqCalls.THREADS;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PausableReader;
import io.openmessaging.benchmark.driver.rocketmq.client.BatchDelivery;
import io.openmessaging.benchmark.driver.rocketmq.client.ClientRelease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * One gRPC consumer and its thread, which requests messages, passes them to the listener, and acknowledges each. One
 * request at a time keeps the order of each queue, unless another consumer of the group receives from it as well.
 */
final class GrpcConsumer extends PausableReader implements RocketMqConnection.AbortableConsumer {

    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);

    private final SimpleConsumer client;
    private final GrpcDelivery delivery;
    private final BatchDelivery batches;
    private final DriverEvents events;
    private final Duration timeout;
    private final ClientRelease release;
    private final String name;
    private final Thread thread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** When a series of errors becomes fatal; null after a request without an error. */
    private @Nullable Deadline failing;

    /** Takes over the client and starts the thread. */
    GrpcConsumer(
            SimpleConsumer client, GrpcDelivery delivery, int batchSize, DriverContext context, ClientRelease release) {
        this.client = client;
        this.delivery = delivery;
        this.batches = new BatchDelivery(batchSize, System::nanoTime);
        this.events = context.events();
        this.timeout = context.timeout();
        this.release = release;
        this.name = delivery.clientName(context.runId());
        this.thread = THREADS.daemon(this::run, name);
        thread.start();
    }

    private void run() {
        try {
            while (awaitResumed()) {
                try {
                    receive();
                    failing = null;
                } catch (ExecutionException e) {
                    report(Calls.unwrapped(e));
                    TimeUnit.NANOSECONDS.sleep(PAUSE_AFTER_ERROR.toNanos());
                }
            }
        } catch (InterruptedException e) {
            // Closed.
        } finally {
            ended.complete(null);
        }
    }

    private void report(Throwable cause) {
        if (failing == null) {
            failing = Deadline.in(timeout);
        }
        if (failing.hasPassed()) {
            events.fatal(new DriverException(
                    "Consumer " + delivery.spec().id() + " got errors instead of messages for " + timeout.toMillis()
                            + " ms; the last error: " + cause.getMessage(),
                    cause));
            end();
        } else {
            events.clientError("consumer receive", cause);
        }
    }

    /** Receives, delivers and acknowledges messages once. The client's own limit ends the request. */
    private void receive() throws InterruptedException, ExecutionException {
        CompletableFuture<List<MessageView>> answer = client.receiveAsync(batches.next(), BatchDelivery.HIDDEN);
        batches.deliver(answer.get(), message -> {
            delivery.deliver(message);
            acknowledge(message);
        });
    }

    // A failure is reported, and the proxy delivers the message again.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void acknowledge(MessageView message) {
        client.ackAsync(message).whenComplete((done, failure) -> {
            if (failure != null && !hasEnded()) {
                events.clientError("consumer acknowledge", failure);
            }
        });
    }

    @Override
    public void close() throws DriverException {
        stop();
        Deadline deadline = Deadline.in(timeout);
        boolean inTime = deadline.awaitEnd(ended);
        release.begin(name, client);
        if (!inTime) {
            throw deadline.missed("consumer " + delivery.spec().id() + " to end; its client is being shut down", null);
        }
    }

    @Override
    public void abort() {
        stop();
        release.begin(name, client);
    }

    private void stop() {
        end();
        thread.interrupt();
    }
}
