package io.openmessaging.benchmark.live.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {

    /** Joins points to the text of both, which shows their order and completeness. */
    private static History<String> history(int most) {
        return new History<>(most, (one, next) -> one + next);
    }

    @Test
    void pointsAreKeptAsTheyAreWhileThereIsRoom() {
        History<String> history = history(4);
        for (String point : List.of("a", "b", "c", "d")) {
            assertThat(history.add(point)).isFalse();
        }
        assertThat(history.points()).containsExactly("a", "b", "c", "d");
        assertThat(history.lastIndex()).isEqualTo(3);
    }

    @Test
    void neighboursAreJoinedWhenItIsFullAndFromThenOn() {
        History<String> history = history(4);
        for (String point : List.of("a", "b", "c", "d")) {
            history.add(point);
        }
        assertThat(history.add("e")).isTrue();
        assertThat(history.points()).containsExactly("ab", "cd", "e");
        assertThat(history.add("f")).isFalse();
        assertThat(history.points()).containsExactly("ab", "cd", "ef");
        assertThat(history.lastIndex()).isEqualTo(2);
    }

    @Test
    void twoDaysOfSecondsStayBoundedAndComplete() {
        History<Integer> counts = new History<>(RunCourse.MOST_TICKS, Integer::sum);
        int seconds = 2 * 24 * 3600;
        for (int i = 0; i < seconds; i++) {
            counts.add(1);
            assertThat(counts.lastIndex()).isLessThan(RunCourse.MOST_TICKS);
        }
        assertThat(counts.points().stream().mapToInt(Integer::intValue).sum()).isEqualTo(seconds);
        assertThat(counts.points()).hasSizeGreaterThanOrEqualTo(RunCourse.MOST_TICKS / 2);
        List<Integer> whole = counts.points().subList(0, counts.lastIndex());
        assertThat(whole).as("each stands for equally many").containsOnly(whole.get(0));
    }

    @Test
    void anOddNumberCannotBeHalved() {
        assertThatThrownBy(() -> history(3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> history(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
