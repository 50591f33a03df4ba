package io.openmessaging.benchmark.faults;

import io.openmessaging.benchmark.limits.SocketGroup;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What of a node's faults can be done on a machine. */
public interface FaultTools {

    /** Why the packets of one node cannot be dropped or turned, as part of a sentence; empty if they can. */
    Optional<String> whyNoFirewall();

    /** Why a node cannot have a file system of its own, as part of a sentence; empty if it can. */
    Optional<String> whyNoDisk();

    /** Those of this machine; found out when it is asked for the first time, by trying. */
    static FaultTools ofThisMachine() {
        return OfThisMachine.INSTANCE;
    }

    /** Tries once. */
    final class OfThisMachine implements FaultTools {

        private static final FaultTools INSTANCE = new OfThisMachine();

        /** Why not; empty if it works, null if that is not known yet. */
        private @Nullable String firewall;

        /** The same. */
        private @Nullable String disk;

        private OfThisMachine() {}

        /** Something that works or not. */
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

    /** Removes what processes have left behind that could not do it themselves, nor could their guards. */
    static void sweep() throws IOException, InterruptedException {
        Firewall.ofThisMachine().sweep();
    }
}
