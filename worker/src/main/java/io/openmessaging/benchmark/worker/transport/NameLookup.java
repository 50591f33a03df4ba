package io.openmessaging.benchmark.worker.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A lookup of a host's name, which precedes the first connection: that would wait in silence, 20 s or more if no name
 * server answers. The JVM keeps an address for half a minute, so that connections do not look it up again.
 */
public final class NameLookup {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final CompletableFuture<Optional<String>> problem;

    /** Looks up a name, and waits for that. */
    @FunctionalInterface
    interface Resolver {
        InetAddress address(String name) throws UnknownHostException;
    }

    NameLookup(String name, Resolver resolver, Duration patience, Consumer<String> console) {
        this.problem = CompletableFuture.supplyAsync(() -> problem(name, resolver), task -> {
            // A lookup cannot be interrupted.
            Thread thread = new Thread(task, "lookup");
            thread.setDaemon(true);
            thread.start();
        });
        CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    if (!problem.isDone()) {
                        console.accept("waiting for the address of '" + name + "' …");
                    }
                });
    }

    /**
     * Starts to look up a name.
     *
     * @param console receives a line for the user, on another thread, if that takes longer than two seconds
     */
    public static NameLookup start(String name, Consumer<String> console) {
        return new NameLookup(name, InetAddress::getByName, PATIENCE, console);
    }

    private static Optional<String> problem(String name, Resolver resolver) {
        try {
            resolver.address(name);
            return Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.of(unresolved(name));
        }
    }

    /** Says that a name has no address. */
    public static String unresolved(String name) {
        return "the name " + name + " cannot be resolved on this machine (DNS, /etc/hosts)";
    }

    /** Waits for the end of the lookup; returns why the name cannot be used, empty if it can. */
    public Optional<String> problem() throws InterruptedException {
        try {
            return problem.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
