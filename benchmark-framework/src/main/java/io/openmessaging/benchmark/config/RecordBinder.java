package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.config.YamlNode.Empty;
import io.openmessaging.benchmark.config.YamlNode.Mapping;
import io.openmessaging.benchmark.config.YamlNode.Scalar;
import io.openmessaging.benchmark.config.YamlNode.Sequence;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Problems.Problem;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Binds a tree to a record, strictly: every key is a component of the record, every value has its component's type. All
 * problems are collected; none ends the binding.
 *
 * <p>Components may be of these types:
 * <ul>
 *   <li>what {@link ScalarBinding} reads: numbers, booleans, {@code String}, {@code Duration}, enums, and types with a
 *       static method {@code parse(String)};
 *   <li>public records;
 *   <li>{@code List<T>} and {@code Map<String, T>} of these; both are unmodifiable and keep the order of the file.
 * </ul>
 *
 * <p>A key that is absent, or has no value, gives {@code null}, or 0 or {@code false} for a primitive: the record's
 * constructor puts the default in its place.
 *
 * <p>A record that is {@link Checked} is asked about its values even if some of them could not be bound, in which case
 * what it says about those is left out. A rule broken by an absent key says that the key is missing instead of naming a
 * value that nobody wrote.
 */
final class RecordBinder {

    private RecordBinder() {}

    /**
     * Binds a mapping.
     *
     * @param problems takes what is wrong; if it is nothing, the result is usable
     * @return null if the record's constructor refused
     * @throws IllegalArgumentException if the record's own definition is at fault
     */
    static <C extends Record> @Nullable C bind(Mapping tree, Class<C> type, Problems problems) {
        return bind(tree, type, Set.of(), problems);
    }

    /**
     * Binds a mapping.
     *
     * @param alsoKnown keys that belong in the file but not in this mapping: worth suggesting for a misspelt one
     */
    static <C extends Record> @Nullable C bind(Mapping tree, Class<C> type, Set<String> alsoKnown, Problems problems) {
        RecordComponent[] components = type.getRecordComponents();
        Set<String> known = new java.util.LinkedHashSet<>();
        for (RecordComponent component : components) {
            known.add(component.getName());
        }
        Set<String> settled = rejectUnknownKeys(tree, known, alsoKnown, problems);
        @Nullable Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String key = components[i].getName();
            YamlNode node = tree.entries().getOrDefault(key, new Empty());
            int before = problems.found().size();
            arguments[i] = value(key, node, components[i].getGenericType(), problems);
            if (problems.found().size() > before) {
                settled.add(key);
            }
        }
        C bound = construct(type, arguments, problems);
        if (bound instanceof Checked checked) {
            check(checked, tree, settled, problems);
        }
        return bound;
    }

    /** Returns the known keys that the unknown ones were probably meant to be. */
    private static Set<String> rejectUnknownKeys(
            Mapping tree, Set<String> known, Set<String> alsoKnown, Problems problems) {
        Set<String> meant = new HashSet<>();
        Set<String> absent = new java.util.LinkedHashSet<>(known);
        absent.addAll(alsoKnown);
        for (String key : tree.entries().keySet()) {
            if (!known.contains(key)) {
                problems.add(key, KnownKeys.unknownKeyRule(key, absent), null);
                KnownKeys.nearest(key, absent).ifPresent(meant::add);
            }
        }
        return meant;
    }

    private static void check(Checked checked, Mapping tree, Set<String> settled, Problems problems) {
        Problems found = new Problems();
        checked.check(found);
        Set<Problem> known = new HashSet<>(problems.found());
        for (Problem problem : found.found()) {
            String key = problem.key().split("[.\\[]", 2)[0];
            if (settled.stream().anyMatch(name -> mentions(problem, name)) || known.contains(problem)) {
                continue;
            }
            if (tree.entries().getOrDefault(key, new Empty()) instanceof Empty) {
                problems.add(problem.key(), "is missing, " + problem.rule(), null);
            } else {
                problems.add(problem.key(), problem.rule(), problem.value());
            }
        }
    }

    private static boolean mentions(Problem problem, String key) {
        return Arrays.asList((problem.key() + " " + problem.rule()).split("\\W+"))
                .contains(key);
    }

    private static @Nullable Object value(String key, YamlNode node, Type type, Problems problems) {
        if (type instanceof Class<?> plain) {
            return plain.isRecord()
                    ? record(key, node, plain.asSubclass(Record.class), problems)
                    : scalar(key, node, plain, problems);
        }
        if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
            return list(key, node, generic.getActualTypeArguments()[0], problems);
        }
        if (type instanceof ParameterizedType generic
                && generic.getRawType() == Map.class
                && generic.getActualTypeArguments()[0] == String.class) {
            return map(key, node, generic.getActualTypeArguments()[1], problems);
        }
        throw new IllegalArgumentException("A configuration record cannot have a component of type " + type);
    }

    private static @Nullable Object scalar(String key, YamlNode node, Class<?> type, Problems problems) {
        ScalarBinding binding = ScalarBinding.to(type);
        if (node instanceof Empty) {
            return binding.absent();
        }
        if (!(node instanceof Scalar)) {
            problems.add(key, binding.rule(), node);
            return binding.absent();
        }
        Scalar scalar = (Scalar) node;
        try {
            return binding.parse(scalar.text());
        } catch (IllegalArgumentException e) {
            problems.add(key, String.valueOf(e.getMessage()), scalar);
            return binding.absent();
        }
    }

    private static @Nullable Object record(String key, YamlNode node, Class<? extends Record> type, Problems problems) {
        if (node instanceof Mapping mapping) {
            return bind(mapping, type, problems.below(key));
        }
        if (!(node instanceof Empty)) {
            problems.add(key, "must be a mapping of keys to values", node);
        }
        return null;
    }

    private static @Nullable List<Object> list(String key, YamlNode node, Type elementType, Problems problems) {
        if (!(node instanceof Sequence)) {
            problems.require(node instanceof Empty, key, "must be a list", node);
            return null;
        }
        List<Object> list = new ArrayList<>();
        for (YamlNode element : ((Sequence) node).elements()) {
            addIfPresent(list, value(key + "[" + list.size() + "]", element, elementType, problems));
        }
        return Collections.unmodifiableList(list);
    }

    private static void addIfPresent(List<Object> list, @Nullable Object value) {
        if (value != null) {
            list.add(value);
        }
    }

    private static @Nullable Map<String, Object> map(String key, YamlNode node, Type valueType, Problems problems) {
        if (!(node instanceof Mapping)) {
            problems.require(node instanceof Empty, key, "must be a mapping of keys to values", node);
            return null;
        }
        Map<String, Object> map = new LinkedHashMap<>();
        ((Mapping) node).entries().forEach((name, entry) -> {
            Object value = value(key + "." + name, entry, valueType, problems);
            if (value != null) {
                map.put(name, value);
            }
        });
        return Collections.unmodifiableMap(map);
    }

    private static <C extends Record> @Nullable C construct(
            Class<C> type, @Nullable Object[] arguments, Problems problems) {
        Class<?>[] parameterTypes = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            Constructor<C> constructor = type.getDeclaredConstructor(parameterTypes);
            if (!Modifier.isPublic(type.getModifiers())) {
                throw new IllegalArgumentException("The configuration record " + type.getName() + " must be public");
            }
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refusal) {
                problems.add("", String.valueOf(refusal.getMessage()), null);
                return null;
            }
            throw new IllegalArgumentException("The constructor of " + type.getName() + " failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("The configuration record " + type.getName() + " cannot be built", e);
        }
    }
}
