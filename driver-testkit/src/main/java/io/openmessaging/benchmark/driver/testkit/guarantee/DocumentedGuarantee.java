package io.openmessaging.benchmark.driver.testkit.guarantee;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The guarantee that {@code docs/GUARANTEES.md} documents for a driver file, to be compared with the driver's.
 *
 * @param storage as in {@link Guarantee}; the first one if several are listed, by version of the system
 * @param consumption as in {@link Guarantee}
 * @param order as in {@link Guarantee}
 */
public record DocumentedGuarantee(String storage, String consumption, String order) {

    private static final Path PAGE = Path.of("../docs/GUARANTEES.md");

    /** Index of the storage cell, after those of the name, the copies and the acknowledged copies. */
    private static final int STORAGE = 4;

    private static final int CELLS = STORAGE + 3;

    /** Returns the driver's guarantee in the same form. */
    public static DocumentedGuarantee of(@Nullable Guarantee guarantee) {
        Guarantee told = Objects.requireNonNull(guarantee, "a driver says what its system promises");
        return new DocumentedGuarantee(
                told.storage().name(), told.consumption().name(), told.order().name());
    }

    /**
     * Reads the guarantee from the page.
     *
     * @throws AssertionError if it has no row for the file
     */
    public static DocumentedGuarantee of(ShippedDriverFile file) throws IOException {
        for (String line : Files.readAllLines(PAGE)) {
            String[] cells = line.split("\\s*\\|\\s*", -1);
            if (cells.length >= CELLS && List.of(cells[1].split(", ")).contains("`" + file + "`")) {
                return new DocumentedGuarantee(cells[STORAGE].split(";")[0], cells[STORAGE + 1], cells[STORAGE + 2]);
            }
        }
        throw new AssertionError(PAGE + " has no row for " + file);
    }
}
