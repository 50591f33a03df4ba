package io.openmessaging.benchmark.driver.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.stream.ConsumerFlowStrategy;
import org.junit.jupiter.api.Test;

class PausableFlowTest {

    private int asked;

    private final ConsumerFlowStrategy.Context chunk = new ConsumerFlowStrategy.Context() {
        @Override
        public void credits(int credits) {
            asked += credits;
        }

        @Override
        public long messageCount() {
            return 100;
        }

        @Override
        public long chunkId() {
            return 0;
        }
    };

    private final PausableFlow flow = new PausableFlow();

    @Test
    void eachChunkAsksForAnother() {
        assertThat(flow.initialCredits()).isEqualTo(10);
        flow.start(chunk);
        flow.start(chunk);
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void whatIsOwedAfterAPauseIsAskedForOnce() {
        flow.start(chunk);
        flow.pause();
        flow.start(chunk);
        flow.start(chunk);
        assertThat(asked).isEqualTo(1);
        flow.resume();
        assertThat(asked).isEqualTo(3);
        flow.resume();
        flow.start(chunk);
        assertThat(asked).isEqualTo(4);
    }

    /** It has credits of its own, so those of the connection that was lost must not be added. */
    @Test
    void aNewSubscriptionOwesNothing() {
        flow.pause();
        flow.start(chunk);
        flow.initialCredits();
        flow.resume();
        assertThat(asked).isZero();
    }
}
