package io.openmessaging.benchmark.broker.launch;

import java.util.List;

/**
 * The Debian packages of a broker that is no Java program.
 *
 * @param name the folder they are unpacked to, such as {@code redis}
 * @param product such as {@code Redis}, for messages
 * @param program the program that makes them unnecessary if it is on this machine, such as {@code redis-server}
 * @param packages their names. What they depend on and this machine lacks comes along
 * @param sizeMb how much is to be downloaded, about, including 10 MB of package lists
 */
public record PackageSet(String name, String product, String program, List<String> packages, int sizeMb) {

    /** Copies the list. */
    public PackageSet {
        packages = List.copyOf(packages);
    }

    /** What a user can do who does without them. */
    String otherWays() {
        return "install " + product + " so that " + program
                + " is on the PATH, or point the driver's file to a broker that runs";
    }
}
