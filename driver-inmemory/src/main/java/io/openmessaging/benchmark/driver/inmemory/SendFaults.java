package io.openmessaging.benchmark.driver.inmemory;

/** Counts the sends to one topic and decides which of them fail. Thread-safe. */
final class SendFaults {

    /**
     * What becomes of one send.
     *
     * @param index the message's index, or −1 if it is not counted
     * @param fails whether the send fails
     * @param isFatal whether a fatal error is to be reported with it
     */
    record Outcome(long index, boolean fails, boolean isFatal) {}

    private static final Outcome NOT_COUNTED = new Outcome(-1, false, false);

    private final Faults faults;
    private final Picks fail;
    private long nextIndex;

    /** With the count at 0. */
    SendFaults(Faults faults) {
        this.faults = faults;
        this.fail = new Picks(faults.failEvery(), faults.fail());
    }

    synchronized Outcome next(byte[] payload) {
        if (!faults.count(payload)) {
            return NOT_COUNTED;
        }
        long index = nextIndex++;
        boolean picked = fail.contain(index);
        boolean late = faults.failAfter() > 0 && index >= faults.failAfter();
        return new Outcome(index, picked || late, index + 1 == faults.fatalAfter());
    }
}
