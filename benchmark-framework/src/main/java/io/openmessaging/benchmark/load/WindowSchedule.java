package io.openmessaging.benchmark.load;

import java.util.List;

/**
 * Another schedule, but a message is not sent while its producer has too many that are not confirmed. It stays due when
 * it was: what has to wait becomes debt.
 */
final class WindowSchedule extends Schedule {

    private final Schedule schedule;
    private final InFlightWindow[] windows;
    private int turn;

    /**
     * A schedule held back.
     *
     * @param windows of the producers, in the order in which the loop takes turns with them
     */
    WindowSchedule(Schedule schedule, List<InFlightWindow> windows) {
        this.schedule = schedule;
        this.windows = windows.toArray(new InFlightWindow[0]);
    }

    @Override
    public long next() {
        return windows[turn].isFull() ? NEVER : schedule.next();
    }

    @Override
    public void advance() {
        schedule.advance();
        turn = turn + 1 == windows.length ? 0 : turn + 1;
    }

    @Override
    void skip(long messages) {
        schedule.skip(messages);
    }

    @Override
    Schedule ofDue() {
        return schedule;
    }

    @Override
    public void change(long fromNs, RateProfile profile) {
        schedule.change(fromNs, profile);
    }
}
