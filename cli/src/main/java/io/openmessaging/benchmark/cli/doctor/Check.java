package io.openmessaging.benchmark.cli.doctor;

/**
 * One thing about a machine.
 *
 * @param subject what was looked at, in one or two words
 * @param state how it is
 * @param text what was found, and what to do if something is not as it should be
 */
public record Check(String subject, CheckState state, String text) {

    /** How something is. */
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

        /** In a column. */
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
