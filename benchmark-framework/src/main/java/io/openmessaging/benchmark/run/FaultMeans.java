package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.config.Fault;
import java.util.List;
import java.util.Optional;

/** Injects the faults of a run. Faults are injected one after the other, on one thread. */
public interface FaultMeans {

    /**
     * The leader of the first partition of the first topic, as {@code host:port}; empty if the system does not report
     * it.
     */
    interface Leader {
        Optional<String> address() throws FaultException, InterruptedException;
    }

    /** A fault in progress. */
    interface Begun {

        /** A description of what was done, such as {@code killed kafka-1 (leader)}. */
        String what();

        /** The lines that a command has printed; empty without a command. */
        default List<String> output() {
            return List.of();
        }

        /**
         * Undoes the fault; returns when processes run again and commands have ended. The system may not work again
         * yet.
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
     * Injects a fault; returns when its effect is visible: processes are gone, or paused.
     *
     * @throws FaultException if the fault cannot be injected; nothing is left to undo then
     * @throws InterruptedException if the measurement ends meanwhile; nothing is left to undo then, either
     */
    Begun begin(Fault fault, Leader leader) throws FaultException, InterruptedException;

    /** Rejects every fault, for a system to which nothing can be done. */
    FaultMeans NONE = (fault, leader) -> {
        throw new FaultException("cannot " + fault.kind() + " anything here");
    };
}
