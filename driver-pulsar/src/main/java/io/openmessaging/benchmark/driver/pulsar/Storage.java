package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.DriverException;
import java.util.OptionalInt;

/**
 * How the topics of a run are stored, as far as the bookies allow it.
 *
 * @param asked what the driver file says
 * @param bookies how many there are; empty where that is not to be known
 */
record Storage(Persistence asked, OptionalInt bookies) {

    /**
     * What is to be stored how often.
     *
     * @throws DriverException if there are too few bookies and the driver file does not allow to make do with them:
     *     Pulsar itself would take the policy and then fail each topic
     */
    Persistence possible() throws DriverException {
        if (isEnough()) {
            return asked;
        }
        if (asked.adjustToBookies()) {
            return asked.loweredTo(bookies.getAsInt());
        }
        throw new DriverException("The driver file asks for more bookies than there are (client.persistence: "
                + asked.inWords() + "), and Pulsar has " + bookies.getAsInt()
                + ": lower the numbers, or set adjustToBookies: true there");
    }

    private boolean isEnough() {
        return bookies.isEmpty() || bookies.getAsInt() >= asked.ensembleSize();
    }

    /** What a result says of it. */
    String inWords() {
        if (isEnough()) {
            return asked.inWords();
        }
        String there = "there are no more bookies than " + bookies.getAsInt();
        return asked.adjustToBookies()
                ? asked.loweredTo(bookies.getAsInt()).inWords() + "; lowered from " + asked.inWords() + ": " + there
                : asked.inWords() + "; impossible: " + there;
    }
}
