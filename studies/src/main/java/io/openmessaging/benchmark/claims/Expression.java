package io.openmessaging.benchmark.claims;

import java.util.List;
import java.util.stream.Stream;

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

    /** Which side is to be the larger one. */
    enum Operator {
        GREATER(">"),
        LESS("<"),
        GREATER_OR_EQUAL(">="),
        LESS_OR_EQUAL("<=");

        private final String text;

        Operator(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Two numbers, one larger than the other. */
    record Comparison(Side left, Operator operator, Side right) implements Part {
        @Override
        public List<Reference> references() {
            return Stream.concat(left.references().stream(), right.references().stream())
                    .toList();
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

    /** A number, or what is reckoned from some. */
    sealed interface Side {
        /** The references in it, in the order in which they are written. */
        List<Reference> references();
    }

    /** A number as it is written. */
    record Number(double value) implements Side {
        @Override
        public List<Reference> references() {
            return List.of();
        }
    }

    /** What is done with two numbers. */
    enum Arithmetic {
        PLUS,
        MINUS,
        TIMES,
        DIVIDED_BY
    }

    /** Two numbers reckoned together. */
    record Reckoned(Side left, Arithmetic arithmetic, Side right) implements Side {
        @Override
        public List<Reference> references() {
            return Stream.concat(left.references().stream(), right.references().stream())
                    .toList();
        }
    }

    /**
     * The mean of a metric in a cell.
     *
     * @param caseName with {@code *} for any text: several cases
     */
    record Reference(Name metric, Name experiment, Name system, Name caseName) implements Side {
        @Override
        public List<Reference> references() {
            return List.of(this);
        }

        /** Whether it is to several cases. */
        boolean open() {
            return caseName.text().contains("*");
        }
    }

    /**
     * A name as it is written.
     *
     * @param text without quotes
     * @param column where it begins, from 1
     */
    record Name(String text, int column) {}

    /** All references, in the order in which they are written. */
    List<Reference> references() {
        return parts.stream().flatMap(part -> part.references().stream()).toList();
    }
}
