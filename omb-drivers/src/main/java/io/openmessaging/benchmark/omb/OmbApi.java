package io.openmessaging.benchmark.omb;

import io.openmessaging.benchmark.driver.DriverException;
import java.io.File;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The driver API of OMB, in the generation that a folder contains. Its interfaces are looked up by name, and its
 * methods by name and parameter types, since each generation has others. Methods of later generations that take lists
 * are preferred. Immutable; objects of the API are plain {@code Object}s here.
 */
final class OmbApi {

    private final Class<?> driver;
    private final Class<?> callback;
    private final Method initialize;
    private final Method topicNamePrefix;
    private final Creation topics;
    private final @Nullable Method notifyTopicCreation;
    private final Creation producers;
    private final Creation consumers;
    private final MethodHandle send;

    /** Finds the methods of the API in a folder. */
    static OmbApi in(OmbFolder folder) throws DriverException, ClassNotFoundException {
        return new OmbApi(new Interfaces(folder.loader()), folder);
    }

    private record Interfaces(Class<?> driver, Class<?> producer, Class<?> consumer, Class<?> callback) {

        Interfaces(ClassLoader loader) throws ClassNotFoundException {
            this(
                    type("BenchmarkDriver", loader),
                    type("BenchmarkProducer", loader),
                    type("BenchmarkConsumer", loader),
                    type("ConsumerCallback", loader));
        }

        private static Class<?> type(String simpleName, ClassLoader loader) throws ClassNotFoundException {
            return Class.forName(OmbFolder.PACKAGE + simpleName, false, loader);
        }
    }

    /**
     * A method that creates topics, producers or consumers.
     *
     * @param method takes the arguments of one of them, or a list
     * @param element creates an element of that list from these arguments; null if there is no list
     */
    private record Creation(Method method, @Nullable Constructor<?> element) {}

    private OmbApi(Interfaces types, OmbFolder folder) throws DriverException {
        Binding binding = new Binding(folder);
        this.driver = types.driver();
        this.callback = types.callback();
        this.initialize = binding.initialize(driver);
        this.topicNamePrefix = binding.method(driver, "getTopicNamePrefix");
        this.topics = binding.creation(driver, "createTopics", "createTopic", String.class, int.class);
        this.notifyTopicCreation = find(driver, "notifyTopicCreation", String.class, int.class);
        this.producers = binding.producers(driver);
        this.consumers = binding.consumers(driver, callback);
        this.send = binding.send(types.producer());
        binding.checkCallback(callback);
        for (Class<?> closed : List.of(driver, types.producer(), types.consumer())) {
            binding.require(AutoCloseable.class.isAssignableFrom(closed), closed, "close", "close()");
        }
    }

    private static @Nullable Method find(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Looks methods up, and refuses an API that does not have them. */
    private record Binding(OmbFolder folder) {

        void require(boolean holds, Class<?> type, String name, String expected) throws DriverException {
            if (!holds) {
                throw refused(type, name, expected);
            }
        }

        DriverException refused(Class<?> type, String name, String expected) {
            String found = Arrays.stream(type.getMethods())
                    .filter(method -> method.getName().equals(name))
                    .map(Binding::signature)
                    .sorted()
                    .collect(Collectors.joining(", "));
            return new DriverException("must be a driver whose API can be bridged: the "
                    + type.getSimpleName()
                    + " in "
                    + OmbFolder.jarOf(type).orElse(folder.path().toString())
                    + " has "
                    + (found.isEmpty() ? "no " + name : found)
                    + ", expected "
                    + expected);
        }

        static String signature(Method method) {
            return method.getName()
                    + Arrays.stream(method.getParameterTypes())
                            .map(Class::getSimpleName)
                            .collect(Collectors.joining(", ", "(", ")"));
        }

        Method method(Class<?> type, String name, Class<?>... parameters) throws DriverException {
            Method found = find(type, name, parameters);
            if (found == null) {
                throw refused(type, name, expected(name, parameters));
            }
            return found;
        }

        private static String expected(String name, Class<?>... parameters) {
            return name
                    + Arrays.stream(parameters).map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
        }

        Method initialize(Class<?> driver) throws DriverException {
            return Arrays.stream(driver.getMethods())
                    .filter(method -> method.getName().equals("initialize"))
                    .filter(method -> method.getParameterCount() == 2 && method.getParameterTypes()[0] == File.class)
                    .findFirst()
                    .orElseThrow(() -> refused(driver, "initialize", "initialize(File, StatsLogger)"));
        }

        /** Returns the method that takes a list if it can be used, else the one that takes the arguments of one. */
        Creation creation(Class<?> driver, String ofList, String ofOne, Class<?>... parameters) throws DriverException {
            Method lists = find(driver, ofList, List.class);
            Constructor<?> element = lists == null ? null : element(lists, parameters);
            return lists == null || element == null
                    ? new Creation(future(driver, method(driver, ofOne, parameters)), null)
                    : new Creation(future(driver, lists), element);
        }

        Creation producers(Class<?> driver) throws DriverException {
            Method lists = find(driver, "createProducers", List.class);
            Constructor<?> element = lists == null ? null : element(lists, int.class, String.class);
            return lists == null || element == null
                    ? new Creation(future(driver, method(driver, "createProducer", String.class)), null)
                    : new Creation(future(driver, lists), element);
        }

        Creation consumers(Class<?> driver, Class<?> callback) throws DriverException {
            Method lists = find(driver, "createConsumers", List.class);
            Constructor<?> element =
                    lists == null ? null : element(lists, int.class, String.class, String.class, callback);
            if (lists != null && element != null) {
                return new Creation(future(driver, lists), element);
            }
            Method withPartition = find(driver, "createConsumer", String.class, String.class, Optional.class, callback);
            return new Creation(
                    future(
                            driver,
                            withPartition == null
                                    ? method(driver, "createConsumer", String.class, String.class, callback)
                                    : withPartition),
                    null);
        }

        private Method future(Class<?> driver, Method method) throws DriverException {
            require(
                    CompletableFuture.class.isAssignableFrom(method.getReturnType()),
                    driver,
                    method.getName(),
                    "one that returns a CompletableFuture");
            return method;
        }

        /** Returns the constructor of the elements of a method's list; null if it has other parameters. */
        private static @Nullable Constructor<?> element(Method lists, Class<?>... parameters) {
            Type list = lists.getGenericParameterTypes()[0];
            Type element = list instanceof ParameterizedType typed ? typed.getActualTypeArguments()[0] : list;
            try {
                return element instanceof Class<?> type ? type.getConstructor(parameters) : null;
            } catch (NoSuchMethodException e) {
                return null;
            }
        }

        MethodHandle send(Class<?> producer) throws DriverException {
            Method method = method(producer, "sendAsync", Optional.class, byte[].class);
            try {
                return MethodHandles.publicLookup()
                        .unreflect(future(producer, method))
                        .asType(MethodType.methodType(
                                CompletableFuture.class, Object.class, Optional.class, byte[].class));
            } catch (IllegalAccessException e) {
                throw refused(producer, "sendAsync", "one that is public");
            }
        }

        /** Refuses a callback with a method that would have to do something that is not known here. */
        void checkCallback(Class<?> callback) throws DriverException {
            for (Method method : callback.getMethods()) {
                Class<?>[] parameters = method.getParameterTypes();
                boolean message = method.getName().equals("messageReceived")
                        && parameters.length == 2
                        && (parameters[0] == byte[].class || parameters[0] == ByteBuffer.class)
                        && parameters[1] == long.class;
                boolean error = method.getName().equals("error") && parameters.length == 0;
                require(
                        message || error || !Modifier.isAbstract(method.getModifiers()),
                        callback,
                        method.getName(),
                        "messageReceived(byte[], long), messageReceived(ByteBuffer, long) or error()");
            }
        }
    }

    /** Formats the methods that are called, which tell the generation of the API. */
    String methods() {
        return Stream.concat(
                        Stream.of(topics.method(), producers.method(), consumers.method()),
                        Stream.ofNullable(notifyTopicCreation))
                .map(Binding::signature)
                .collect(Collectors.joining(", "));
    }

    private static @Nullable Object call(Method method, Object target, @Nullable Object... arguments) throws Exception {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static CompletableFuture<?> answer(Method method, Object target, @Nullable Object... arguments)
            throws Exception {
        Object answer = call(method, target, arguments);
        if (answer == null) {
            throw new DriverException(Binding.signature(method) + " of the driver returned no future");
        }
        return (CompletableFuture<?>) answer;
    }

    /** Initializes a driver, with the stats logger that the jars bring; without one if they bring none. */
    void initialize(Object target, File configuration) throws Exception {
        call(initialize, target, configuration, noStats(initialize.getParameterTypes()[1]));
    }

    private static @Nullable Object noStats(Class<?> logger) {
        try {
            Object none = Class.forName(logger.getPackageName() + ".NullStatsLogger", true, logger.getClassLoader())
                    .getField("INSTANCE")
                    .get(null);
            return logger.isInstance(none) ? none : null;
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }

    String topicNamePrefix(Object target) throws Exception {
        return String.valueOf(call(topicNamePrefix, target));
    }

    /** A topic by OMB's terms. */
    record Topic(String name, int partitions) {}

    List<CompletableFuture<?>> createTopics(Object target, List<Topic> all) throws Exception {
        return create(
                topics,
                target,
                all.stream()
                        .map(topic -> new Object[] {topic.name(), topic.partitions()})
                        .toList());
    }

    /** Tells the driver that topics exist, if its generation wants to know. */
    List<CompletableFuture<?>> notifyTopicCreation(Object target, List<Topic> created) throws Exception {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        if (notifyTopicCreation != null) {
            for (Topic topic : created) {
                Object answer = call(notifyTopicCreation, target, topic.name(), topic.partitions());
                if (answer instanceof CompletableFuture<?> future) {
                    answers.add(future);
                }
            }
        }
        return answers;
    }

    /** A producer by OMB's terms. */
    record Producer(int id, String topic) {}

    List<CompletableFuture<?>> createProducers(Object target, List<Producer> all) throws Exception {
        boolean inList = producers.element() != null;
        return create(
                producers,
                target,
                all.stream()
                        .map(producer -> inList
                                ? new Object[] {producer.id(), producer.topic()}
                                : new Object[] {producer.topic()})
                        .toList());
    }

    /** A consumer by OMB's terms. */
    record Consumer(int id, String topic, String subscription, InvocationHandler callback) {}

    List<CompletableFuture<?>> createConsumers(Object target, List<Consumer> all) throws Exception {
        List<Object[]> arguments = new ArrayList<>();
        for (Consumer consumer : all) {
            Object proxy =
                    Proxy.newProxyInstance(callback.getClassLoader(), new Class<?>[] {callback}, consumer.callback());
            if (consumers.element() != null) {
                arguments.add(new Object[] {consumer.id(), consumer.topic(), consumer.subscription(), proxy});
            } else if (consumers.method().getParameterCount() == 3) {
                arguments.add(new Object[] {consumer.topic(), consumer.subscription(), proxy});
            } else {
                arguments.add(new Object[] {consumer.topic(), consumer.subscription(), Optional.empty(), proxy});
            }
        }
        return create(consumers, target, arguments);
    }

    /** Returns the futures of all, or of the one list of all. */
    private static List<CompletableFuture<?>> create(Creation creation, Object target, List<Object[]> arguments)
            throws Exception {
        Constructor<?> element = creation.element();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        if (element == null) {
            for (Object[] ofOne : arguments) {
                answers.add(answer(creation.method(), target, ofOne));
            }
        } else {
            List<Object> elements = new ArrayList<>();
            for (Object[] ofOne : arguments) {
                elements.add(element.newInstance(ofOne));
            }
            answers.add(answer(creation.method(), target, elements));
        }
        return answers;
    }

    /** Sends a message. The only call that is made for each message. */
    @Nullable
    CompletableFuture<?> send(Object producer, Optional<String> key, byte[] payload) throws Throwable {
        return (CompletableFuture<?>) send.invokeExact(producer, key, payload);
    }
}
