package io.openmessaging.benchmark.resources;

import java.util.Map;

/** Something that can be asked for numbers, such as a broker by way of its client. Used by one thread. */
public interface FigureSource extends AutoCloseable {

    /**
     * The numbers now, under the names that their giver uses; {@code series.properties} says which of them are figures.
     * May block for some seconds.
     *
     * @throws Exception whose message tells the user why there are none this time
     */
    Map<String, Double> read() throws Exception;

    /** Ends a call that is under way, and gives back what is held. Called by any thread. */
    @Override
    void close();
}
