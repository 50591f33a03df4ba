package io.openmessaging.benchmark.timing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test that asserts in real time that something is not late or not long. At the end of {@code bin/test --all},
 * it runs alone. If it fails and this process stalled meanwhile for more than a quarter of the tolerance, it is
 * aborted with that figure, since the machine may have caused the failure.
 */
@Tag("timing")
@Inherited
@ExtendWith(StallGuard.class)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Timing {

    /** Tolerated deviation of a time, in ms. */
    int toleranceMs();
}
