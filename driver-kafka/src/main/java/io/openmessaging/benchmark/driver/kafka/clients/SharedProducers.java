package io.openmessaging.benchmark.driver.kafka.clients;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.Producer;

/** Clients that producers share: each is created for its first user and closed with its last one. Thread-safe. */
public final class SharedProducers {

    private final int clients;
    private final IntFunction<Producer<String, byte[]>> newClient;

    /** Clients by number. Guarded by this object's lock, as are their fields. */
    private final Map<Integer, SharedClient> open = new HashMap<>();

    /**
     * Starts without clients.
     *
     * @param clients largest number of clients
     * @param newClient creates the client with a number, from 0
     */
    public SharedProducers(int clients, IntFunction<Producer<String, byte[]>> newClient) {
        this.clients = clients;
        this.newClient = newClient;
    }

    /** A client and its number of users. */
    public final class SharedClient {

        private final int number;
        private final Producer<String, byte[]> client;
        private int users;

        SharedClient(int number) {
            this.number = number;
            this.client = newClient.apply(number);
        }

        public Producer<String, byte[]> client() {
            return client;
        }

        /**
         * Called once by each user. The last one closes the client; for interrupts see {@link
         * ReleasableProducer#release}.
         *
         * @param limit the limit for closing it
         */
        public void leave(Duration limit) {
            synchronized (SharedProducers.this) {
                users--;
                if (users > 0) {
                    return;
                }
                open.remove(number);
            }
            ReleasableProducer.release(client, limit);
        }
    }

    /** Adds a producer, by its number, to the users of its client. */
    public synchronized SharedClient enter(int producer) {
        SharedClient place = open.computeIfAbsent(producer % clients, SharedClient::new);
        place.users++;
        return place;
    }
}
