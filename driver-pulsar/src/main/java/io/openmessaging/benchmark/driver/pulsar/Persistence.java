package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.util.OptionalInt;
import org.apache.pulsar.common.policies.data.PersistencePolicies;
import org.jspecify.annotations.Nullable;

/**
 * The keys below {@code client.persistence}: storage of persistent topics. Defaults are OMB's.
 *
 * @param ensembleSize number of bookies that a ledger is spread over
 * @param writeQuorum number of copies written of a message
 * @param ackQuorum number of copies to wait for
 * @param deduplicationEnabled true if the broker drops messages that a producer sends a second time
 * @param adjustToBookies true to lower the numbers to that of the bookies; if false, too few bookies are an error. Set
 *     for a local broker
 * @param journalSyncData the bookies' own setting: true if they sync their journal to disk before they confirm. They
 *     do not report it; only the guarantee in the result depends on it. Null if unknown
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

    /** Returns a copy that adjusts to the bookies. */
    Persistence adjustable() {
        return new Persistence(ensembleSize, writeQuorum, ackQuorum, deduplicationEnabled, true, journalSyncData);
    }

    /**
     * Returns the storage to use, as far as the bookies allow it.
     *
     * @param bookies number of bookies; empty if unknown
     * @throws DriverException if there are too few bookies and the driver file does not allow lower numbers: Pulsar
     *     itself would accept the policy and then fail each topic
     */
    Persistence possible(OptionalInt bookies) throws DriverException {
        if (isEnough(bookies) || adjustToBookies) {
            return cappedAt(bookies);
        }
        throw new DriverException("The driver file requires more bookies than exist (client.persistence: "
                + numbers() + "), and Pulsar has " + bookies.getAsInt()
                + ": lower the numbers, or set adjustToBookies: true");
    }

    /** Returns this, or a copy with the numbers lowered to that of the bookies. */
    Persistence cappedAt(OptionalInt bookies) {
        return isEnough(bookies) ? this : loweredTo(bookies.getAsInt());
    }

    /** Returns a copy with the numbers of a policy. */
    Persistence with(PersistencePolicies policy) {
        return with(policy.getBookkeeperEnsemble(), policy.getBookkeeperWriteQuorum(), policy.getBookkeeperAckQuorum());
    }

    /** Returns a copy with these numbers. */
    Persistence with(int ensemble, int write, int ack) {
        return new Persistence(ensemble, write, ack, deduplicationEnabled, adjustToBookies, journalSyncData);
    }

    /** Returns a copy with the smaller one of each of the numbers. */
    Persistence smaller(Persistence other) {
        return with(
                Math.min(ensembleSize, other.ensembleSize),
                Math.min(writeQuorum, other.writeQuorum),
                Math.min(ackQuorum, other.ackQuorum));
    }

    private boolean isEnough(OptionalInt bookies) {
        return bookies.isEmpty() || bookies.getAsInt() >= ensembleSize;
    }

    private Persistence loweredTo(int most) {
        return with(Math.min(ensembleSize, most), Math.min(writeQuorum, most), Math.min(ackQuorum, most));
    }

    /** Describes the storage for the result. */
    String inWords(OptionalInt bookies) {
        if (isEnough(bookies)) {
            return numbers();
        }
        int there = bookies.getAsInt();
        String outcome = adjustToBookies
                ? loweredTo(there).numbers() + "; lowered from " + numbers()
                : numbers() + "; impossible";
        return outcome + ", because the number of bookies is " + there;
    }

    /** Describes the numbers. */
    String numbers() {
        return "ensemble size " + ensembleSize + ", write quorum " + writeQuorum + ", ack quorum " + ackQuorum;
    }
}
