package io.openmessaging.benchmark.cli.doctor;

/**
 * Result of one check of the machine.
 *
 * @param subject checked property, in one or two words
 * @param state result
 * @param text what was found, and a remedy if something is wrong
 */
public record Check(String subject, CheckState state, String text) {

    /** State of a property. */
    public enum CheckState {
        /** As it should be. */
        OK("ok"),
        /** Worth knowing. */
        NOTE("note"),
        /** Figures from here may mislead, or some runs cannot be done. */
        WARNING("warn"),
        /** Nothing can be measured. */
        UNFIT("unfit");

        private final String label;

        CheckState(String label) {
            this.label = label;
        }

        /** Returns the name for a column. */
        public String label() {
            return label;
        }
    }

    static Check ok(String subject, String text) {
        return new Check(subject, CheckState.OK, text);
    }

    static Check note(String subject, String text) {
        return new Check(subject, CheckState.NOTE, text);
    }

    static Check warning(String subject, String text) {
        return new Check(subject, CheckState.WARNING, text);
    }

    static Check unfit(String subject, String text) {
        return new Check(subject, CheckState.UNFIT, text);
    }
}
