package io.openmessaging.benchmark.claims;

import java.util.List;

/**
 * The expression of a claim about a plan's cells: all parts have to hold.
 *
 * @param parts at least one
 */
record Expression(List<Part> parts) {

    /** A part that holds or does not hold. */
    sealed interface Part {
        /** Returns the references in it, in written order. */
        List<Reference> references();
    }

    /**
     * A comparison of two numbers.
     *
     * @param operator which side should be larger: one of {@code > < >= <=}
     */
    record Comparison(Side left, String operator, Side right, List<Reference> references) implements Part {

        /** Returns whether it covers several cases. */
        boolean open() {
            return references.stream().anyMatch(Reference::open);
        }
    }

    /** Trend of a metric over the cases. */
    enum Direction {
        RISES,
        FALLS,
        FLAT
    }

    /**
     * The trend of a metric over several cases.
     *
     * @param direction expected trend
     * @param withinPercent with FLAT: maximum distance of a case from the mean of all
     * @param reference to several cases
     */
    record Trend(Direction direction, double withinPercent, Reference reference) implements Part {
        @Override
        public List<Reference> references() {
            return List.of(reference);
        }
    }

    /** A number, or a calculation from several: returns the interval of its value, given those of its references. */
    @FunctionalInterface
    interface Side {
        Interval in(Means means) throws UnknownException;
    }

    /** Supplies the intervals of references. */
    @FunctionalInterface
    interface Means {
        Interval of(Reference reference) throws UnknownException;
    }

    /** A value is not known well enough. The message says why. */
    static final class UnknownException extends Exception {
        private static final long serialVersionUID = 1L;

        UnknownException(String message) {
            super(message);
        }
    }

    /**
     * A reference to the estimate of a metric in a cell.
     *
     * @param caseName {@code *} stands for any text: several cases
     */
    record Reference(Name metric, Name experiment, Name system, Name caseName) {

        /** Returns whether it refers to several cases. */
        boolean open() {
            return caseName.text().contains("*");
        }

        /** Returns the reference to one of its cases; the reference itself if it is to a single case. */
        Reference in(String oneCase) {
            return open() ? new Reference(metric, experiment, system, new Name(oneCase, caseName.offset())) : this;
        }

        /** Returns the cell's name for users. */
        String cell() {
            return experiment.text() + "/" + system.text() + "/" + caseName.text();
        }
    }

    /**
     * A name in the text of an expression.
     *
     * @param text without quotes
     * @param offset of its first character, from 0
     */
    record Name(String text, int offset) {}
}
