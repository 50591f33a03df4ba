package io.openmessaging.benchmark.resources;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Several ways to read the same process as one probe. A figure that several of them have is that of the first. */
final class JoinedProbe implements ResourceProbe {

    private final List<ResourceProbe> parts;

    /** At least one; the first gives name and role. */
    JoinedProbe(List<ResourceProbe> parts) {
        this.parts = List.copyOf(parts);
    }

    @Override
    public String name() {
        return parts.get(0).name();
    }

    @Override
    public Role role() {
        return parts.get(0).role();
    }

    @Override
    public EnumMap<Figure, Double> read() {
        EnumMap<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (ResourceProbe part : parts) {
            part.read().forEach(figures::putIfAbsent);
        }
        return figures;
    }

    @Override
    public Map<String, CollectorWork> collectors() {
        return parts.stream()
                .map(ResourceProbe::collectors)
                .filter(collectors -> !collectors.isEmpty())
                .findFirst()
                .orElse(Map.of());
    }

    @Override
    public Optional<String> problem() {
        List<String> problems =
                parts.stream().flatMap(part -> part.problem().stream()).toList();
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
    }

    @Override
    public void close() {
        parts.forEach(ResourceProbe::close);
    }
}
