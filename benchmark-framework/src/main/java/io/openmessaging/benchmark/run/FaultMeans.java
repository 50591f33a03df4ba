package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.config.Fault;
import java.util.List;
import java.util.Optional;

/** How faults are brought about. Faults of a run come one after the other, on one thread. */
public interface FaultMeans {

    /** The leader of the first partition of the first topic, as {@code host:port}; empty if the system does not tell. */
    interface Leader {
        Optional<String> address() throws FaultException, InterruptedException;
    }

    /** A fault in progress. */
    interface Begun {

        /** What was done, such as {@code killed kafka-1 (leader)}. */
        String what();

        /** What a command has printed; nothing without one. */
        default List<String> output() {
            return List.of();
        }

        /**
         * Takes it back, and returns when that is done: processes run, commands have ended. Not that the system works again.
         */
        void undo() throws FaultException, InterruptedException;
    }

    /** A fault that did not take effect, or could not be undone; the message is a sentence. */
    final class FaultException extends Exception {

        private static final long serialVersionUID = 1L;

        public FaultException(String message) {
            super(message);
        }

        public FaultException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Injects a fault, and returns when it is seen: processes are gone, or paused.
     *
     * @throws FaultException if it cannot be; nothing is left to be undone then
     * @throws InterruptedException if the measurement ends meanwhile; nothing is left to be undone then, either
     */
    Begun begin(Fault fault, Leader leader) throws FaultException, InterruptedException;

    /** Of a system to which nothing can be done. */
    FaultMeans NONE = (fault, leader) -> {
        throw new FaultException("cannot " + fault.kind() + " anything here");
    };
}
