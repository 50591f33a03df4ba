package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CounterTest {

    @Test
    void addsAndIsReplaced() {
        Counter counter = new Counter();
        assertThat(counter.get()).isZero();
        counter.add(2);
        counter.add(3);
        assertThat(counter.get()).isEqualTo(5);
        counter.set(-1);
        assertThat(counter.get()).isEqualTo(-1);
    }

    /** Only a look at the real layout can show that a virtual machine does what the three classes rely on. */
    @Test
    void theNumberHasTwoCacheLinesOfPaddingOnEitherSide() throws Exception {
        long valueOffset = offset(PaddedLong.class.getDeclaredField("value"));
        long[] leading = offsets(LeadingPadding.class);
        long[] trailing = offsets(Counter.class);
        assertThat(leading).hasSize(16);
        assertThat(leading[15]).isLessThan(valueOffset);
        assertThat(trailing).hasSize(16);
        assertThat(trailing[0]).isGreaterThan(valueOffset);
        assertThat(valueOffset - leading[0]).isGreaterThanOrEqualTo(PaddedLong.PADDING_BYTES);
        assertThat(trailing[15] - valueOffset).isGreaterThanOrEqualTo(PaddedLong.PADDING_BYTES);
    }

    private static long[] offsets(Class<?> type) throws Exception {
        Field[] longs = Arrays.stream(type.getDeclaredFields())
                .filter(field -> field.getType() == long.class)
                .toArray(Field[]::new);
        long[] offsets = new long[longs.length];
        for (int i = 0; i < longs.length; i++) {
            offsets[i] = offset(longs[i]);
        }
        Arrays.sort(offsets);
        return offsets;
    }

    private static long offset(Field field) throws Exception {
        Class<?> unsafeType = Class.forName("sun.misc.Unsafe");
        Field instance = unsafeType.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        Method objectFieldOffset = unsafeType.getMethod("objectFieldOffset", Field.class);
        return (long) objectFieldOffset.invoke(instance.get(null), field);
    }
}
