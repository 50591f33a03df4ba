package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The keys below {@code client.persistence}: how persistent topics are stored. Defaults are OMB's.
 *
 * @param ensembleSize among how many bookies a ledger is spread
 * @param writeQuorum how many copies of a message are written
 * @param ackQuorum how many of them are waited for
 * @param deduplicationEnabled whether the broker drops what a producer sends a second time
 * @param adjustToBookies whether the numbers are lowered to the bookies that there are; if not, too few are an error.
 *     Set for a broker that is started for the run
 * @param journalSyncData what the bookies have for it: whether they sync their journal to the disk before they confirm.
 *     They tell nobody; only the guarantee of the result depends on it. Null if it is not known
 */
public record Persistence(
        @Default("3") int ensembleSize,
        @Default("3") int writeQuorum,
        @Default("2") @Range(from = "1") int ackQuorum,
        boolean deduplicationEnabled,
        boolean adjustToBookies,
        @Nullable Boolean journalSyncData)
        implements Checked {

    @Override
    public void check(Problems problems) {
        problems.require(
                writeQuorum >= ackQuorum,
                "writeQuorum",
                "must be at least ackQuorum, which is " + ackQuorum,
                writeQuorum);
        problems.require(
                ensembleSize >= writeQuorum,
                "ensembleSize",
                "must be at least writeQuorum, which is " + writeQuorum,
                ensembleSize);
    }

    /** The same, to be adjusted. */
    Persistence adjustable() {
        return new Persistence(ensembleSize, writeQuorum, ackQuorum, deduplicationEnabled, true, journalSyncData);
    }

    /**
     * What is to be stored how often, as far as the bookies allow it.
     *
     * @param bookies how many there are; empty where that is not to be known
     * @throws DriverException if there are too few bookies and the driver file does not allow to make do with them:
     *     Pulsar itself would take the policy and then fail each topic
     */
    Persistence possible(OptionalInt bookies) throws DriverException {
        if (isEnough(bookies) || adjustToBookies) {
            return cappedAt(bookies);
        }
        throw new DriverException("The driver file asks for more bookies than there are (client.persistence: "
                + numbers() + "), and Pulsar has " + bookies.getAsInt()
                + ": lower the numbers, or set adjustToBookies: true there");
    }

    /** The same, or lowered to the bookies that there are. */
    Persistence cappedAt(OptionalInt bookies) {
        return isEnough(bookies) ? this : loweredTo(bookies.getAsInt());
    }

    private boolean isEnough(OptionalInt bookies) {
        return bookies.isEmpty() || bookies.getAsInt() >= ensembleSize;
    }

    private Persistence loweredTo(int most) {
        return new Persistence(
                Math.min(ensembleSize, most),
                Math.min(writeQuorum, most),
                Math.min(ackQuorum, most),
                deduplicationEnabled,
                adjustToBookies,
                journalSyncData);
    }

    /** What a result says of it. */
    String inWords(OptionalInt bookies) {
        if (isEnough(bookies)) {
            return numbers();
        }
        int there = bookies.getAsInt();
        String outcome = adjustToBookies
                ? loweredTo(there).numbers() + "; lowered from " + numbers()
                : numbers() + "; impossible";
        return outcome + ": there are no more bookies than " + there;
    }

    private String numbers() {
        return "ensemble size " + ensembleSize + ", write quorum " + writeQuorum + ", ack quorum " + ackQuorum;
    }
}
