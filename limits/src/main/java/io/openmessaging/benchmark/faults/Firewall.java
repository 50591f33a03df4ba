package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tables of nftables whose names begin with that of this program and its process id; never one of somebody else. */
final class Firewall {

    private static final Pattern OURS = Pattern.compile("table (?<family>inet|ip) (?<name>omb_(?<pid>\\d+)_\\w+)");

    private static final Pattern NOT_IN_A_NAME = Pattern.compile("\\W");

    private final String nft;

    private Firewall(String nft) {
        this.nft = nft;
    }

    /**
     * A table.
     *
     * @param family of protocols: {@code inet} or {@code ip}
     */
    record Table(String family, String name) {

        @Override
        public String toString() {
            return family + " " + name;
        }
    }

    /** Of this machine; whether it may be changed is not said. */
    static Firewall ofThisMachine() throws IOException {
        return new Firewall(Programs.require("nft", "nftables"));
    }

    /** The table of this process for something, such as a node. */
    static Table table(String family, String what) {
        return new Table(
                family,
                "omb_" + ProcessHandle.current().pid() + "_"
                        + NOT_IN_A_NAME.matcher(what).replaceAll("_"));
    }

    /** Whether the kernel would take the rules; nothing is changed. */
    void check(String script) throws IOException, InterruptedException {
        Programs.run(List.of(nft, "--check", "--file", "-"), script);
    }

    /** Adds all of it or nothing. */
    void add(String script) throws IOException, InterruptedException {
        Programs.run(List.of(nft, "--file", "-"), script);
    }

    /** Fails if there is no such table. */
    void delete(Table table) throws IOException, InterruptedException {
        Programs.run(deletion(table), "");
    }

    /** The command that removes a table. */
    List<String> deletion(Table table) {
        return List.of(nft, "delete", "table", table.family(), table.name());
    }

    /** Removes the tables of processes that are no more: of those whose guards were killed with them. */
    void sweep() throws IOException, InterruptedException {
        Matcher found = OURS.matcher(Programs.run(List.of(nft, "list", "tables"), ""));
        while (found.find()) {
            if (ProcessHandle.of(Long.parseLong(found.group("pid"))).isEmpty()) {
                delete(new Table(found.group("family"), found.group("name")));
            }
        }
    }
}
