package io.openmessaging.benchmark.driver.kafka.clients;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.Producer;

/** The clients that producers share: each is made for its first user and closed with its last one. Thread-safe. */
public final class SharedProducers {

    private final int clients;
    private final IntFunction<Producer<String, byte[]>> newClient;

    /** By number. Guarded by this object's lock, as what is in it. */
    private final Map<Integer, SharedClient> open = new HashMap<>();

    /**
     * No client yet.
     *
     * @param clients how many there may be
     * @param newClient makes the one of a number, from 0
     */
    public SharedProducers(int clients, IntFunction<Producer<String, byte[]>> newClient) {
        this.clients = clients;
        this.newClient = newClient;
    }

    /** One of the clients, with those who use it. */
    public final class SharedClient {

        private final int number;
        private final Producer<String, byte[]> client;
        private int users;

        SharedClient(int number) {
            this.number = number;
            this.client = newClient.apply(number);
        }

        /** The client. */
        public Producer<String, byte[]> client() {
            return client;
        }

        /**
         * To be called once by each user. The last one closes the client; an interrupt is treated as {@link
         * ReleasableProducer#release} does.
         *
         * @param limit for closing it
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

    /** The place of a producer with a number: one more user of its client. */
    public synchronized SharedClient enter(int producer) {
        SharedClient place = open.computeIfAbsent(producer % clients, SharedClient::new);
        place.users++;
        return place;
    }
}
