package io.openmessaging.benchmark.cli.doctor;

/**
 * One thing about a machine.
 *
 * @param subject what was looked at, in one or two words
 * @param state how it is
 * @param text what was found, and what to do if something is not as it should be
 */
public record Check(String subject, State state, String text) {

    /** How something is. */
    public enum State {
        /** As it should be. */
        OK("ok"),
        /** Worth knowing. */
        NOTE("note"),
        /** Figures from here may mislead, or some runs cannot be done. */
        WARNING("warn"),
        /** Nothing can be measured. */
        UNFIT("unfit");

        private final String label;

        State(String label) {
            this.label = label;
        }

        /** In a column. */
        public String label() {
            return label;
        }
    }

    static Check ok(String subject, String text) {
        return new Check(subject, State.OK, text);
    }

    static Check note(String subject, String text) {
        return new Check(subject, State.NOTE, text);
    }

    static Check warning(String subject, String text) {
        return new Check(subject, State.WARNING, text);
    }

    static Check unfit(String subject, String text) {
        return new Check(subject, State.UNFIT, text);
    }
}
