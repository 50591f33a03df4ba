package io.openmessaging.benchmark.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.live.LiveRun.History;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private long version;

    private History<String> history(int most, @Nullable BinaryOperator<String> join) {
        return new History<>(most, join, () -> version);
    }

    /** Adds each point in a version of its own, from 1. */
    private void add(History<String> history, String... points) {
        for (String point : points) {
            version++;
            history.add(point);
        }
    }

    @Test
    void pointsAreKeptAsTheyAreWhileThereIsRoom() {
        History<String> history = history(4, String::concat);
        add(history, "a", "b", "c", "d");
        assertThat(history.since(0)).isEqualTo(new News.Part<>(0, List.of("a", "b", "c", "d")));
        assertThat(history.since(2)).isEqualTo(new News.Part<>(2, List.of("c", "d")));
        assertThat(history.since(4)).isEqualTo(new News.Part<>(4, List.of()));
    }

    @Test
    void neighboursAreJoinedWhenItIsFullAndFromThenOn() {
        History<String> history = history(4, String::concat);
        add(history, "a", "b", "c", "d", "e");
        assertThat(history.since(4)).as("all have changed").isEqualTo(new News.Part<>(0, List.of("ab", "cd", "e")));
        add(history, "f");
        assertThat(history.since(5)).isEqualTo(new News.Part<>(2, List.of("ef")));
        add(history, "g");
        assertThat(history.since(5)).isEqualTo(new News.Part<>(2, List.of("ef", "g")));
    }

    @Test
    void whereNothingCanBeJoinedTheFirstPointsAreForgotten() {
        History<String> history = history(4, null);
        add(history, "a", "b", "c", "d", "e", "f");
        assertThat(history.since(5)).isEqualTo(new News.Part<>(0, List.of("c", "d", "e", "f")));
        assertThat(history.since(6).points()).isEmpty();
    }

    @Test
    void twoDaysOfSecondsStayBoundedAndComplete() {
        History<Integer> counts = new History<>(LiveRun.MOST_TICKS, Integer::sum, () -> 1);
        int seconds = 2 * 24 * 3600;
        for (int i = 0; i < seconds; i++) {
            counts.add(1);
        }
        List<Integer> points = counts.since(0).points();
        assertThat(points).hasSizeBetween(LiveRun.MOST_TICKS / 2, LiveRun.MOST_TICKS);
        assertThat(points.stream().mapToInt(Integer::intValue).sum()).isEqualTo(seconds);
        List<Integer> whole = points.subList(0, points.size() - 1);
        assertThat(whole).as("each stands for equally many").containsOnly(whole.get(0));
    }

    @Test
    void anOddNumberCannotBeHalved() {
        assertThatThrownBy(() -> history(3, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> history(0, null)).isInstanceOf(IllegalArgumentException.class);
    }
}
