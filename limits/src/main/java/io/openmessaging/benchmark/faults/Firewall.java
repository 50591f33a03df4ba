package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tables of nftables whose names start with this program's prefix and its process id. Never touches other tables. */
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
     * @param family family of protocols: {@code inet} or {@code ip}
     */
    record Table(String family, String name) {

        @Override
        public String toString() {
            return family + " " + name;
        }
    }

    /** Returns the firewall of this machine. Does not check whether it may be changed. */
    static Firewall ofThisMachine() throws IOException {
        return new Firewall(Programs.require("nft", "nftables"));
    }

    /** Returns this process's table for something, such as a node. */
    static Table table(String family, String what) {
        return new Table(
                family,
                "omb_" + ProcessHandle.current().pid() + "_"
                        + NOT_IN_A_NAME.matcher(what).replaceAll("_"));
    }

    /** Checks that the kernel accepts the rules; changes nothing. */
    void check(String script) throws IOException, InterruptedException {
        Programs.run(List.of(nft, "--check", "--file", "-"), script);
    }

    /** Adds all rules or none. */
    void add(String script) throws IOException, InterruptedException {
        Programs.run(List.of(nft, "--file", "-"), script);
    }

    /** Deletes a table; fails if it does not exist. */
    void delete(Table table) throws IOException, InterruptedException {
        Programs.run(deletion(table), "");
    }

    /** Returns the command that deletes a table. */
    List<String> deletion(Table table) {
        return List.of(nft, "delete", "table", table.family(), table.name());
    }

    /** Deletes tables of processes that no longer exist: their guards were killed with them. */
    void sweep() throws IOException, InterruptedException {
        Matcher found = OURS.matcher(Programs.run(List.of(nft, "list", "tables"), ""));
        while (found.find()) {
            if (ProcessHandle.of(Long.parseLong(found.group("pid"))).isEmpty()) {
                delete(new Table(found.group("family"), found.group("name")));
            }
        }
    }
}
