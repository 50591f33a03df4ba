package io.openmessaging.benchmark.binding;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a single value as a type: {@code short}, {@code int}, {@code long}, {@code float}, {@code double},
 * {@code boolean} and their boxed types, {@code String} (any text, numbers included), {@code Duration} (see
 * {@link DurationText}), enums (their names, in upper or lower case). Quotes around a number make no difference, as in
 * OMB.
 *
 * <p>Other types, and enums whose names are not those of their constants, are supported if they have a public static
 * method {@code parse(String)} that returns the type and throws {@link IllegalArgumentException} with the rule that the
 * text breaks, such as {@code must be a number or unlimited}.
 *
 * @param rule rule for a valid value
 * @param absent replacement for an absent value: 0 or {@code false} for a primitive, else null
 * @param parser throws {@link IllegalArgumentException} with the rule that a text breaks
 */
record ScalarBinding(String rule, @Nullable Object absent, Function<String, Object> parser) {

    /** The bindings by type; those of primitive types by their boxed type. */
    private static final Map<Class<?>, ScalarBinding> BINDINGS = Map.of(
            Short.class, whole(Short.MIN_VALUE, Short.MAX_VALUE, BigInteger::shortValueExact),
            Integer.class, whole(Integer.MIN_VALUE, Integer.MAX_VALUE, BigInteger::intValueExact),
            Long.class, whole(Long.MIN_VALUE, Long.MAX_VALUE, BigInteger::longValueExact),
            Float.class, decimal(BigDecimal::floatValue, Float::isFinite),
            Double.class, decimal(BigDecimal::doubleValue, Double::isFinite),
            Boolean.class, of("must be true or false", ScalarText::bool),
            String.class, of("must be text", Optional::of),
            Duration.class, of(DurationText.RULE, DurationText::parse));

    /**
     * Returns the binding to a type.
     *
     * @throws IllegalArgumentException if there is none
     */
    static ScalarBinding to(Class<?> type) {
        ScalarBinding binding = BINDINGS.get(MethodType.methodType(type).wrap().returnType());
        if (binding != null) {
            // The initial value of an array element.
            Object absent = type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
            return new ScalarBinding(binding.rule, absent, binding.parser);
        }
        Optional<Method> factory = factoryMethod(type);
        if (factory.isPresent()) {
            return new ScalarBinding("must be a single value", null, text -> call(factory.get(), text));
        }
        if (type.isEnum()) {
            return constant(type);
        }
        throw new IllegalArgumentException("A configuration record cannot have a component of type " + type.getName());
    }

    /** Parses a text, or throws {@link IllegalArgumentException} with the rule that it breaks. */
    Object parse(String text) {
        return parser.apply(text);
    }

    private static <T> ScalarBinding of(String rule, Function<String, Optional<T>> parser) {
        return new ScalarBinding(
                rule, null, text -> parser.apply(text).orElseThrow(() -> new IllegalArgumentException(rule)));
    }

    private static ScalarBinding whole(long least, long most, Function<BigInteger, Object> narrow) {
        String rule = "must be a whole number";
        return new ScalarBinding(rule, null, text -> {
            BigInteger number = ScalarText.wholeNumber(text).orElseThrow(() -> new IllegalArgumentException(rule));
            if (number.compareTo(BigInteger.valueOf(least)) < 0 || number.compareTo(BigInteger.valueOf(most)) > 0) {
                throw new IllegalArgumentException(rule + " from " + least + " to " + most);
            }
            return narrow.apply(number);
        });
    }

    private static <N extends Number> ScalarBinding decimal(Function<BigDecimal, N> narrow, Predicate<N> isFinite) {
        return of(
                "must be a number", text -> ScalarText.number(text).map(narrow).filter(isFinite));
    }

    private static ScalarBinding constant(Class<?> type) {
        Object[] constants = type.getEnumConstants();
        String names = Arrays.stream(constants).map(ScalarBinding::name).collect(Collectors.joining(", "));
        return of(
                "must be one of " + names,
                text -> Arrays.stream(constants)
                        .filter(constant -> name(constant).equalsIgnoreCase(text))
                        .findFirst());
    }

    private static String name(Object constant) {
        return ((Enum<?>) constant).name();
    }

    private static Optional<Method> factoryMethod(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals("parse"))
                .filter(method -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class}))
                .filter(method -> Modifier.isStatic(method.getModifiers()))
                .filter(method -> type.isAssignableFrom(method.getReturnType()))
                .findFirst();
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
