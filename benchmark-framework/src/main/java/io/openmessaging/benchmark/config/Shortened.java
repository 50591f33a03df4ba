package io.openmessaging.benchmark.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A duration or a number of messages that a {@link TimeScale} shortens. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Shortened {

    /** It becomes no less than this, as a file has it; what is less already stays. */
    String least();
}
