package io.openmessaging.benchmark.timing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test asserts in real time that something is not late or not long. It runs at the end of {@code bin/test --all}, alone.
 * If it fails and this process stood still meanwhile for more than a quarter of the tolerance, it is aborted with that
 * figure, since the failure may be the machine's.
 */
@Tag("timing")
@Inherited
@ExtendWith(StallGuard.class)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Timing {

    /** By how much a time may be off before the test fails, in ms. */
    int toleranceMs();
}
