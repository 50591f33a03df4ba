package io.openmessaging.benchmark.omb;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DeliveryThread;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a driver of OMB, and the callback that the driver calls. Such drivers may call it on several threads at
 * once; the listener is called by one at a time. While the consumer is paused, the callback blocks the driver's thread.
 */
final class OmbConsumer implements BenchmarkConsumer, InvocationHandler {

    /** A consumer leaves its subscription within a few seconds, or is abandoned. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final ConsumerSpec spec;
    private final MessageListener listener;
    private final int scratchBytes;
    private final Calls calls;
    private final DriverEvents events;

    /** Calls a listener that may block; null if the driver's threads may call it. */
    private final @Nullable DeliveryThread delivery;

    /** Held during each call of the listener, so that calls do not overlap; threads at the gate wait for it. */
    private final Object gate = new Object();

    private boolean paused;
    private boolean closed;
    private @Nullable Object client;

    OmbConsumer(ConsumerSpec spec, int scratchBytes, Calls calls, DriverEvents events) {
        this.spec = spec;
        this.listener = spec.listener();
        this.scratchBytes = scratchBytes;
        this.calls = calls;
        this.events = events;
        this.delivery = DeliveryThread.of(spec, calls.threads());
    }

    /** Sets the driver's own object, which reads the messages. */
    void reads(Object consumer) {
        this.client = consumer;
    }

    /** Receives every call of the driver's callback. */
    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            case "messageReceived" -> {
                if (arguments != null && arguments.length > 0 && arguments[0] != null) {
                    received(bytes(arguments[0]));
                }
                return null;
            }
            case "error" -> {
                events.clientError("consumer", new DriverException("the driver reported an error of a consumer"));
                return null;
            }
            case "equals" -> {
                return arguments != null && arguments[0] == proxy;
            }
            case "hashCode" -> {
                return System.identityHashCode(this);
            }
            case "toString" -> {
                return "callback of consumer " + spec.id();
            }
            default -> {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
        }
    }

    /** Returns the message without the bytes that the driver overwrites; copies a buffer, which the driver may reuse. */
    private byte[] bytes(Object message) {
        if (message instanceof ByteBuffer buffer) {
            ByteBuffer whole = buffer.duplicate();
            whole.position(Math.min(whole.limit(), whole.position() + scratchBytes));
            byte[] copy = new byte[whole.remaining()];
            whole.get(copy);
            return copy;
        }
        byte[] array = (byte[]) message;
        return scratchBytes == 0
                ? array
                : Arrays.copyOfRange(array, Math.min(scratchBytes, array.length), array.length);
    }

    private void received(byte[] payload) {
        synchronized (gate) {
            awaitOpen();
            if (closed) {
                return;
            }
            if (delivery == null) {
                listener.received(null, payload, 0);
                return;
            }
        }
        delivery.execute(() -> listener.received(null, payload, 0));
    }

    /** An interrupt ends the wait: the driver wants its thread back, and a message that is dropped would look lost. */
    private void awaitOpen() {
        try {
            while (paused && !closed) {
                gate.wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void pause() {
        synchronized (gate) {
            paused = true;
        }
    }

    @Override
    public void resume() {
        synchronized (gate) {
            paused = false;
            gate.notifyAll();
        }
    }

    /** Drops messages from now on, and lets go of the driver's threads. */
    void ignoreMessages() {
        synchronized (gate) {
            closed = true;
            gate.notifyAll();
        }
        if (delivery != null) {
            delivery.close();
        }
    }

    @Override
    public void close() throws DriverException {
        ignoreMessages();
        Object open = client;
        if (open == null) {
            return;
        }
        try {
            calls.run("close a consumer", Deadline.in(CLOSE_LIMIT), () -> ((AutoCloseable) open).close());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
