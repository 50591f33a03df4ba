package io.openmessaging.benchmark.claims;

import java.util.List;

/**
 * What a claim says of a plan's cells: all parts have to hold.
 *
 * @param parts at least one
 */
record Expression(List<Part> parts) {

    /** Something that holds or does not. */
    sealed interface Part {
        /** The references in it, in the order in which they are written. */
        List<Reference> references();
    }

    /**
     * Two numbers, one larger than the other.
     *
     * @param operator which side is to be the larger one: one of {@code > < >= <=}
     */
    record Comparison(Side left, String operator, Side right, List<Reference> references) implements Part {

        /** Whether it is about several cases. */
        boolean open() {
            return references.stream().anyMatch(Reference::open);
        }
    }

    /** How a metric goes over the cases. */
    enum Direction {
        RISES,
        FALLS,
        FLAT
    }

    /**
     * A metric over several cases.
     *
     * @param direction how it goes
     * @param withinPercent with FLAT: how far from the mean of all a case may be
     * @param reference to several cases
     */
    record Trend(Direction direction, double withinPercent, Reference reference) implements Part {
        @Override
        public List<Reference> references() {
            return List.of(reference);
        }
    }

    /** A number, or what is reckoned from some: where it is, given where the means are that it refers to. */
    @FunctionalInterface
    interface Side {
        Interval in(Means means) throws UnknownException;
    }

    /** Knows the means that are referred to. */
    @FunctionalInterface
    interface Means {
        Interval of(Reference reference) throws UnknownException;
    }

    /** A mean is not known well enough. The message says why. */
    static final class UnknownException extends Exception {
        private static final long serialVersionUID = 1L;

        UnknownException(String message) {
            super(message);
        }
    }

    /**
     * The mean of a metric in a cell.
     *
     * @param caseName with {@code *} for any text: several cases
     */
    record Reference(Name metric, Name experiment, Name system, Name caseName) {

        /** Whether it is to several cases. */
        boolean open() {
            return caseName.text().contains("*");
        }

        /** To one of several cases, if it is to several. */
        Reference in(String oneCase) {
            return open() ? new Reference(metric, experiment, system, new Name(oneCase, caseName.offset())) : this;
        }

        /** The cell that has the mean, as people name it. */
        String cell() {
            return experiment.text() + "/" + system.text() + "/" + caseName.text();
        }
    }

    /**
     * A name as it is written.
     *
     * @param text without quotes
     * @param offset where it begins, from 0
     */
    record Name(String text, int offset) {}
}
