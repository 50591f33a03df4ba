package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.measure.Counter;

/**
 * Messages that come independently of each other. The distances of their positions have an exponential distribution with
 * mean 1; as a rate only stretches positions to times, the times are those of a Poisson process of that rate, through all
 * its changes. They are known before they come, so that a late send is seen as late.
 */
final class PoissonSchedule extends RateSchedule {

    private final RandomBits random;

    /** The position of the next message: the bits of a double, in cache lines of its own. */
    private final Counter positionBits = new Counter();

    PoissonSchedule(long startNs, RateProfile profile, long seed) {
        super(startNs, profile);
        this.random = new RandomBits(seed);
        moveTo(random.nextExponential());
    }

    @Override
    double position() {
        return Double.longBitsToDouble(positionBits.get());
    }

    @Override
    void moveTo(double position) {
        positionBits.set(Double.doubleToRawLongBits(position));
    }

    @Override
    public void advance() {
        moveTo(position() + random.nextExponential());
    }

    @Override
    void skip(long messages) {
        moveTo(position() + messages);
    }
}
