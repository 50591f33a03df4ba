package io.openmessaging.benchmark.faults;

import io.openmessaging.benchmark.limits.SocketGroup;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The faults of nodes that a machine supports. */
public interface FaultTools {

    /**
     * Returns why the packets of one node cannot be dropped or redirected, as part of a sentence; empty if they can be.
     */
    Optional<String> whyNoFirewall();

    /** Returns why a node cannot have a file system of its own, as part of a sentence; empty if it can. */
    Optional<String> whyNoDisk();

    /** Returns the tools of this machine. Each is tried out at the first request. */
    static FaultTools ofThisMachine() {
        return OfThisMachine.INSTANCE;
    }

    /** Tries each tool once. */
    final class OfThisMachine implements FaultTools {

        private static final FaultTools INSTANCE = new OfThisMachine();

        /** Reason that it does not work; empty if it works, null if not known yet. */
        private @Nullable String firewall;

        /** Reason that it does not work; empty if it works, null if not known yet. */
        private @Nullable String disk;

        private OfThisMachine() {}

        private interface Trial {
            void run() throws IOException, InterruptedException;
        }

        @Override
        public synchronized Optional<String> whyNoFirewall() {
            String known = firewall == null ? reason(OfThisMachine::tryFirewall) : firewall;
            firewall = known;
            return Optional.of(known).filter(reason -> !reason.isEmpty());
        }

        @Override
        public synchronized Optional<String> whyNoDisk() {
            String known = disk == null ? reason(OwnDisk::tryOut) : disk;
            disk = known;
            return Optional.of(known).filter(reason -> !reason.isEmpty());
        }

        private static String reason(Trial trial) {
            try {
                trial.run();
                return "";
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "it could not be determined";
            }
        }

        private static void tryFirewall() throws IOException, InterruptedException {
            Firewall firewall = Firewall.ofThisMachine();
            try (SocketGroup group = SocketGroup.open("trial", Optional.empty())) {
                firewall.check(Isolation.rules(Firewall.table("inet", "trial"), group));
                firewall.check(DelayNetwork.rules(
                        Firewall.table("ip", "trial"), group.match() + " " + DelayNetwork.turning("1 : 1")));
            }
        }
    }

    /** Removes what dead processes left behind because neither they nor their guards could remove it. */
    static void sweep() throws IOException, InterruptedException {
        Firewall.ofThisMachine().sweep();
    }
}
