package io.openmessaging.benchmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OpenPagesTest {

    private static final long PAGE = SequenceSet.PAGE_LENGTH;

    private final List<Long> handedOver = new ArrayList<>();
    private final SequenceSet received = new SequenceSet();
    private final OpenPages pages = new OpenPages((page, bits) -> {
        handedOver.add(page);
        received.addPage(page, bits);
    });

    @Test
    void aBitIsSetOnce() {
        assertThat(pages.set(100)).isTrue();
        assertThat(pages.set(100)).isFalse();
        assertThat(pages.set(100 + PAGE)).isTrue();
        assertThat(pages.set(101)).isTrue();
        pages.close();
        assertThat(handedOver).containsExactlyInAnyOrder(0L, 1L);
        assertThat(received.cardinality()).isEqualTo(3);
    }

    @Test
    void aBitThatIsTakenBackCanBeSetAgain() {
        pages.set(100);
        pages.set(101);
        pages.clear(100);
        assertThat(pages.set(101)).isFalse();
        assertThat(pages.set(100)).isTrue();
        pages.clear(100);
        pages.close();
        assertThat(received.contains(100)).isFalse();
        assertThat(received.contains(101)).isTrue();
    }

    @Test
    void aPageIsHandedOverWhenAnotherNeedsItsPlace() {
        pages.set(1);
        pages.set(PAGE + 1);
        pages.set(2 * PAGE + 1);
        pages.set(3 * PAGE + 1);
        assertThat(handedOver).isEmpty();
        pages.set(4 * PAGE + 7);
        assertThat(handedOver).containsExactly(0L);
        assertThat(received.contains(1)).isTrue();
        assertThat(pages.set(7)).as("the bit of a page that was handed over").isTrue();
        assertThat(handedOver).containsExactly(0L, 4L);
        pages.close();
        assertThat(received.cardinality()).isEqualTo(6);
    }

    @Test
    void aRangeIsTheSameAsItsNumbers() {
        Random random = new Random(6);
        Set<Long> model = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            long from = random.nextInt((int) (10 * PAGE));
            long to = from + random.nextInt(random.nextBoolean() ? 3 * Long.SIZE : (int) PAGE);
            pages.setRange(from, to);
            LongStream.range(from, to).forEach(model::add);
        }
        pages.close();
        assertThat(received.cardinality()).isEqualTo(model.size());
        assertThat(model).allMatch(received::contains);
    }
}
