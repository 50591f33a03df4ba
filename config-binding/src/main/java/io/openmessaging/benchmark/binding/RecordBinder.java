package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.binding.YamlNode.Empty;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.binding.YamlNode.Sequence;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Problems.Problem;
import io.openmessaging.benchmark.driver.Range;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Binds a tree to a record, strictly: every key is a component of the record, every value has its component's type. No
 * problem ends the binding; all problems are collected.
 *
 * <p>Components may be of these types:
 *
 * <ul>
 *   <li>types that {@link ScalarBinding} reads: numbers, booleans, {@code String}, {@code Duration}, enums, and types
 *       with a static method {@code parse(String)};
 *   <li>public records;
 *   <li>{@code List<T>} and {@code Map<String, T>} of these; both are unmodifiable and keep the order of the file;
 *   <li>{@link YamlNode} and {@link Mapping}: a part of the tree as it is, for keys of another record.
 * </ul>
 *
 * <p>A key that is absent or has no value gives the component's {@link Default}; without one {@code null}, or 0 or
 * {@code false} for a primitive. The record's constructor may replace this value, or refuse with an
 * {@link IllegalArgumentException}, whose message then becomes one of the problems.
 *
 * <p>The rules are those of the components, {@link AbsentWith} and {@link Range}, and then those of a record that is
 * {@link Checked}. They are checked even if some values could not be bound. Rules on values that already have a
 * problem, or that name such values, are skipped: they have seen a substitute or would repeat a consequence of that
 * problem. A rule that is broken by an absent key reports that the key is missing, instead of a value that nobody
 * wrote.
 */
public final class RecordBinder {

    private final Set<String> alsoKnown;
    private final Problems problems;
    private final boolean asksRecords;
    private final UnaryOperator<String> references;

    /** Values of top-level keys that the caller knows. */
    private final Map<String, Object> given;

    private RecordBinder(
            Set<String> alsoKnown,
            Problems problems,
            boolean asksRecords,
            UnaryOperator<String> references,
            Map<String, Object> given) {
        this.alsoKnown = alsoKnown;
        this.problems = problems;
        this.asksRecords = asksRecords;
        this.references = references;
        this.given = given;
    }

    /**
     * Binds the top-level mapping of a file.
     *
     * @param alsoKnown keys that belong in the file but not in this mapping; suggested for misspelt keys
     * @throws ConfigException with all problems
     * @throws IllegalArgumentException if the record's own definition is at fault
     */
    public static <C extends Record> C bind(Path file, Mapping tree, Class<C> type, Set<String> alsoKnown)
            throws ConfigException {
        return bind(file, tree, type, alsoKnown, true, UnaryOperator.identity());
    }

    /**
     * Binds the top-level mapping of a file whose values may be {@linkplain References references}. The values that
     * they refer to appear only in the record, and in no problem.
     *
     * @param alsoKnown keys that belong in the file but not in this mapping; suggested for misspelt keys
     * @throws ConfigException with all problems
     * @throws IllegalArgumentException if the record's own definition is at fault
     */
    static <C extends Record> C bindWithReferences(Path file, Mapping tree, Class<C> type, Set<String> alsoKnown)
            throws ConfigException {
        return bind(file, tree, type, alsoKnown, true, References::resolved);
    }

    /**
     * Binds any values that can be read, without checking rules: for the harness's own records and for tests of rules.
     *
     * @throws ConfigException with the keys that are unknown and the values that have another type
     */
    public static <C extends Record> C bindUnchecked(Path file, Mapping tree, Class<C> type) throws ConfigException {
        return bind(file, tree, type, Set.of(), false, UnaryOperator.identity());
    }

    private static <C extends Record> C bind(
            Path file,
            Mapping tree,
            Class<C> type,
            Set<String> alsoKnown,
            boolean asksRecords,
            UnaryOperator<String> references)
            throws ConfigException {
        Problems problems = new Problems();
        C bound = new RecordBinder(alsoKnown, problems, asksRecords, references, Map.of()).record("", tree, type);
        ConfigException.throwIfAny(file, problems);
        return Objects.requireNonNull(bound, "refused without a reason");
    }

    /**
     * Binds the top-level mapping of a file as far as possible, for a caller that then looks for more problems.
     *
     * @param problems receives all problems; if there are none, the result is usable
     * @return null if the record's constructor refused, which is one of the problems
     * @throws IllegalArgumentException if the record's own definition is at fault
     */
    public static <C extends Record> @Nullable C bindLeniently(Mapping tree, Class<C> type, Problems problems) {
        return bindLeniently(tree, type, Map.of(), problems);
    }

    /**
     * Binds in the same way, for a caller that knows values of keys that are not in the file: they come from a source
     * that another key names.
     *
     * @param given values by key, of the components' types
     */
    public static <C extends Record> @Nullable C bindLeniently(
            Mapping tree, Class<C> type, Map<String, Object> given, Problems problems) {
        return new RecordBinder(Set.of(), problems, true, UnaryOperator.identity(), given).record("", tree, type);
    }

    private <C extends Record> @Nullable C record(String path, Mapping tree, Class<C> type) {
        List<RecordKey> keys = RecordKey.of(type);
        Set<String> settled = rejectUnknownKeys(path, tree, known(path, keys), type);
        @Nullable Object[] arguments = new Object[keys.size()];
        for (int i = 0; i < keys.size(); i++) {
            RecordKey key = keys.get(i);
            String at = join(path, key.name());
            Type of = key.component().getGenericType();
            int before = problems.found().size();
            arguments[i] = value(at, key.in(tree), of);
            boolean wrong = problems.found().size() > before;
            if (wrong) {
                settled.add(key.name());
            }
            // A value that could not be read is also replaced by the default, so that rules on other keys can be
            // checked.
            if (key.defaultIn(tree).isPresent() || wrong && arguments[i] == null) {
                Optional<YamlNode> substitute = key.substitute();
                arguments[i] = substitute.isPresent() ? value(at, substitute.get(), of) : arguments[i];
            }
            if (given.containsKey(at) && !wrong) {
                arguments[i] = given.get(at);
            }
        }
        C bound = construct(path, type, arguments);
        if (bound != null && asksRecords) {
            settled.addAll(replacing(keys, settled, tree));
            for (RecordKey key : keys) {
                check(path, tree, settled, found -> key.checkAbsence(tree, found));
                check(path, tree, settled, found -> key.checkRange(bound, found));
            }
            if (bound instanceof Checked checked) {
                check(path, tree, settled, checked::check);
            }
        }
        return bound;
    }

    /**
     * Returns absent keys that have an alternative with a problem: it is unknown whether they are missing until that
     * problem is solved.
     */
    private static Set<String> replacing(List<RecordKey> keys, Set<String> settled, Mapping tree) {
        Set<String> replaced = new HashSet<>();
        for (RecordKey key : keys) {
            List<String> others = key.absentWith().stream()
                    .flatMap(absent -> Arrays.stream(absent.value()))
                    .toList();
            if (key.in(tree) instanceof Empty && others.stream().anyMatch(settled::contains)) {
                replaced.add(key.name());
            }
            if (settled.contains(key.name())) {
                others.stream()
                        .filter(other -> tree.entries().getOrDefault(other, new Empty()) instanceof Empty)
                        .forEach(replaced::add);
            }
        }
        return replaced;
    }

    private Set<String> known(String path, List<RecordKey> keys) {
        Set<String> known = new LinkedHashSet<>();
        keys.forEach(key -> known.add(key.name()));
        if (path.isEmpty()) {
            known.addAll(alsoKnown);
        }
        return known;
    }

    /** Returns the known keys that were probably meant by the unknown ones. */
    private Set<String> rejectUnknownKeys(String path, Mapping tree, Set<String> known, Class<?> type) {
        Set<String> meant = new HashSet<>();
        for (String key : tree.entries().keySet()) {
            Optional<ForeignKey> foreign = foreign(key, type);
            if (foreign.isPresent() && !known.contains(key)) {
                problems.add(join(path, key), foreign.get().hint(), null);
                meant.addAll(List.of(foreign.get().meant()));
            } else if (!known.contains(key)) {
                problems.add(join(path, key.isEmpty() ? "''" : key), KnownKeys.unknownKeyRule(key, known), null);
                KnownKeys.nearest(key, known).ifPresent(meant::add);
            }
        }
        return meant;
    }

    private static Optional<ForeignKey> foreign(String key, Class<?> type) {
        return Arrays.stream(type.getAnnotationsByType(ForeignKey.class))
                .filter(foreign -> List.of(foreign.value()).contains(key))
                .findFirst();
    }

    /**
     * @param settled keys that already have a problem, of which no further one is reported; receives those that get
     *     one here
     * @param rules adds a problem for each rule that is broken
     */
    private void check(String path, Mapping tree, Set<String> settled, Consumer<Problems> rules) {
        Problems found = new Problems();
        rules.accept(found);
        Set<String> before = Set.copyOf(settled);
        for (Problem problem : found.found()) {
            String name = problem.key().split("[.\\[]", 2)[0];
            if (before.contains(name) || before.stream().anyMatch(key -> names(problem.rule(), key))) {
                continue;
            }
            YamlNode written = tree.entries().getOrDefault(name, new Empty());
            boolean missing = written instanceof Empty;
            problems.add(
                    join(path, problem.key()),
                    missing ? "is missing, " + problem.rule() : problem.rule(),
                    missing || References.in(written) ? null : problem.value());
            settled.add(name);
        }
    }

    /** Only keys like {@code messageSize} can be distinguished from ordinary words such as {@code name}. */
    private static boolean names(String rule, String key) {
        return !key.equals(key.toLowerCase(Locale.ROOT))
                && Arrays.asList(rule.split("\\W+")).contains(key);
    }

    private @Nullable Object value(String path, YamlNode node, Type type) {
        if (type == YamlNode.class) {
            return node instanceof Empty ? null : node;
        }
        if (type == Mapping.class) {
            return mapping(path, node);
        }
        if (type instanceof Class<?> plain) {
            return plain.isRecord() ? nested(path, node, plain.asSubclass(Record.class)) : scalar(path, node, plain);
        }
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (generic.getRawType() == List.class) {
                return list(path, node, arguments[0]);
            }
            if (generic.getRawType() == Map.class && arguments[0] == String.class) {
                return map(path, node, arguments[1]);
            }
        }
        throw new IllegalArgumentException("A configuration record cannot have a component of type " + type);
    }

    private @Nullable Object scalar(String path, YamlNode node, Class<?> type) {
        ScalarBinding binding = ScalarBinding.to(type);
        if (node instanceof Scalar scalar) {
            try {
                return binding.parse(references.apply(scalar.text()));
            } catch (IllegalArgumentException e) {
                problems.add(path, String.valueOf(e.getMessage()), scalar);
            }
        } else if (!(node instanceof Empty)) {
            problems.add(path, binding.rule(), node);
        }
        return binding.absent();
    }

    private @Nullable Record nested(String path, YamlNode node, Class<? extends Record> type) {
        Mapping mapping = mapping(path, node);
        return mapping == null ? null : record(path, mapping, type);
    }

    private @Nullable Mapping mapping(String path, YamlNode node) {
        if (node instanceof Mapping mapping) {
            return mapping;
        }
        problems.require(node instanceof Empty, path, "must be a mapping of keys to values", node);
        return null;
    }

    private @Nullable List<Object> list(String path, YamlNode node, Type elementType) {
        if (!(node instanceof Sequence sequence)) {
            problems.require(node instanceof Empty, path, "must be a list", node);
            return null;
        }
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < sequence.elements().size(); i++) {
            Object value = element(path + "[" + i + "]", sequence.elements().get(i), elementType);
            if (value != null) {
                list.add(value);
            }
        }
        return Collections.unmodifiableList(list);
    }

    private @Nullable Map<String, Object> map(String path, YamlNode node, Type valueType) {
        Mapping mapping = mapping(path, node);
        if (mapping == null) {
            return null;
        }
        Map<String, Object> map = new LinkedHashMap<>();
        mapping.entries().forEach((key, entry) -> {
            Object value = element(join(path, key), entry, valueType);
            if (value != null) {
                map.put(key, value);
            }
        });
        return Collections.unmodifiableMap(map);
    }

    /** Null only if there is a problem, since a list or map has no default for an absent value. */
    private @Nullable Object element(String path, YamlNode node, Type type) {
        problems.require(!(node instanceof Empty), path, "must have a value", null);
        return value(path, node, type);
    }

    private <C extends Record> @Nullable C construct(String path, Class<C> type, @Nullable Object[] arguments) {
        Class<?>[] parameterTypes = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            Constructor<C> constructor = type.getDeclaredConstructor(parameterTypes);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refusal) {
                problems.add(path, String.valueOf(refusal.getMessage()), null);
                return null;
            }
            throw new IllegalArgumentException("The constructor of " + type.getName() + " failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("The configuration record " + type.getName() + " must be public", e);
        }
    }

    private static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
