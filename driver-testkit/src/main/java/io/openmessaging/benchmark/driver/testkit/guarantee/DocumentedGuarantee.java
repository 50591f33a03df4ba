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
 * What {@code docs/GUARANTEES.md} says of a driver file, to be compared with what the driver says.
 *
 * @param storage as in {@link Guarantee}; of several, which depend on the system's version, the first
 * @param consumption as in {@link Guarantee}
 * @param order as in {@link Guarantee}
 */
public record DocumentedGuarantee(String storage, String consumption, String order) {

    private static final Path PAGE = Path.of("../docs/GUARANTEES.md");

    /** Those behind the name, the copies and the acknowledged ones. */
    private static final int STORAGE = 4;

    private static final int CELLS = STORAGE + 3;

    /** What the driver says, in the same form. */
    public static DocumentedGuarantee of(@Nullable Guarantee guarantee) {
        Guarantee told = Objects.requireNonNull(guarantee, "a driver says what its system promises");
        return new DocumentedGuarantee(
                told.storage().name(), told.consumption().name(), told.order().name());
    }

    /**
     * What the page says.
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
