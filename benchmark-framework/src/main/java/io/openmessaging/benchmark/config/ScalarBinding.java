package io.openmessaging.benchmark.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a single value as a type: {@code int}, {@code long}, {@code double}, {@code boolean} and their boxed types,
 * {@code String} (any text, numbers included), {@code Duration} (see {@link DurationText}), enums (their names, in upper
 * or lower case).
 *
 * <p>Other types can take part: with a public static method {@code parse(String)} that returns the type and throws
 * {@link IllegalArgumentException} with the rule that the text breaks, such as {@code must be a number or unlimited}.
 *
 * @param rule what holds for a good value
 * @param absent stands for a value that is not there: 0 or {@code false} for a primitive, else null
 * @param parser throws {@link IllegalArgumentException} with the rule that a text breaks
 */
record ScalarBinding(String rule, @Nullable Object absent, Function<String, Object> parser) {

    private static final String FACTORY_METHOD = "parse";

    private static final Map<Class<?>, ScalarBinding> BINDINGS = Map.ofEntries(
            Map.entry(int.class, whole(0, Integer.MIN_VALUE, Integer.MAX_VALUE, BigInteger::intValueExact)),
            Map.entry(Integer.class, whole(null, Integer.MIN_VALUE, Integer.MAX_VALUE, BigInteger::intValueExact)),
            Map.entry(long.class, whole(0L, Long.MIN_VALUE, Long.MAX_VALUE, BigInteger::longValueExact)),
            Map.entry(Long.class, whole(null, Long.MIN_VALUE, Long.MAX_VALUE, BigInteger::longValueExact)),
            Map.entry(double.class, decimal(0.0)),
            Map.entry(Double.class, decimal(null)),
            Map.entry(boolean.class, bool(false)),
            Map.entry(Boolean.class, bool(null)),
            Map.entry(String.class, new ScalarBinding("must be a text", null, text -> text)),
            Map.entry(Duration.class, duration()));

    /**
     * The binding to a type.
     *
     * @throws IllegalArgumentException if there is none
     */
    static ScalarBinding to(Class<?> type) {
        ScalarBinding binding = BINDINGS.get(type);
        if (binding != null) {
            return binding;
        }
        return type.isEnum() ? constant(type) : factoryMethod(type);
    }

    /** Reads a text, or throws {@link IllegalArgumentException} with the rule that it breaks. */
    Object parse(String text) {
        return parser.apply(text);
    }

    private static ScalarBinding whole(
            @Nullable Object absent, long least, long most, Function<BigInteger, Object> narrow) {
        String rule = "must be a whole number";
        return new ScalarBinding(rule, absent, text -> {
            BigInteger number = ScalarText.wholeNumber(text).orElseThrow(() -> new IllegalArgumentException(rule));
            if (number.compareTo(BigInteger.valueOf(least)) < 0 || number.compareTo(BigInteger.valueOf(most)) > 0) {
                throw new IllegalArgumentException("must be a whole number from " + least + " to " + most);
            }
            return narrow.apply(number);
        });
    }

    private static ScalarBinding decimal(@Nullable Object absent) {
        String rule = "must be a number";
        return new ScalarBinding(
                rule,
                absent,
                text -> ScalarText.number(text)
                        .map(BigDecimal::doubleValue)
                        .filter(Double::isFinite)
                        .orElseThrow(() -> new IllegalArgumentException(rule)));
    }

    private static ScalarBinding bool(@Nullable Object absent) {
        String rule = "must be true or false";
        return new ScalarBinding(
                rule, absent, text -> ScalarText.bool(text).orElseThrow(() -> new IllegalArgumentException(rule)));
    }

    private static ScalarBinding duration() {
        return new ScalarBinding(
                DurationText.RULE,
                null,
                text -> DurationText.parse(text).orElseThrow(() -> new IllegalArgumentException(DurationText.RULE)));
    }

    private static ScalarBinding constant(Class<?> type) {
        Object[] constants = type.getEnumConstants();
        String rule = "must be one of "
                + Arrays.stream(constants).map(ScalarBinding::name).collect(Collectors.joining(", "));
        return new ScalarBinding(
                rule,
                null,
                text -> Arrays.stream(constants)
                        .filter(constant -> name(constant).equalsIgnoreCase(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(rule)));
    }

    private static String name(Object constant) {
        return ((Enum<?>) constant).name();
    }

    private static ScalarBinding factoryMethod(Class<?> type) {
        try {
            Method method = type.getMethod(FACTORY_METHOD, String.class);
            if (Modifier.isStatic(method.getModifiers()) && type.isAssignableFrom(method.getReturnType())) {
                return new ScalarBinding("must be a single value", null, text -> call(method, text));
            }
        } catch (NoSuchMethodException e) {
            // Reported below, together with methods of another shape.
        }
        throw new IllegalArgumentException("A configuration record cannot have a component of type " + type.getName());
    }

    private static Object call(Method method, String text) {
        try {
            return method.invoke(null, text);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(method + " failed for '" + text + "'", e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(method + " must be public, and its class too", e);
        }
    }
}
