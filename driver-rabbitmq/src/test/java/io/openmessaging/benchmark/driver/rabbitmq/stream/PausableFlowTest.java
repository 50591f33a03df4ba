package io.openmessaging.benchmark.driver.rabbitmq.stream;

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

    private final PausableFlow flow = new PausableFlow(false, false);

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

    @Test
    void aSlowConsumerAsksWhenItHasHandledTheFirstMessageOfAChunk() {
        PausableFlow slow = new PausableFlow(true, false);
        ConsumerFlowStrategy.MessageProcessedCallback first = slow.start(chunk);
        ConsumerFlowStrategy.MessageProcessedCallback second = slow.start(chunk);
        assertThat(asked).isZero();
        first.processed(null);
        first.processed(null);
        assertThat(asked).isEqualTo(1);
        slow.pause();
        second.processed(null);
        assertThat(asked).isEqualTo(1);
        slow.resume();
        assertThat(asked).isEqualTo(2);
    }

    /** The new subscription has its own credits, so those of the lost connection must not be added. */
    @Test
    void aNewSubscriptionOwesNothing() {
        flow.pause();
        flow.start(chunk);
        flow.initialCredits();
        flow.resume();
        assertThat(asked).isZero();
    }

    /** The chunk of the other subscription must still be requested. */
    @Test
    void aNewSubscriptionBesideAnotherOneOwesWhatThatOneDoes() {
        PausableFlow shared = new PausableFlow(false, true);
        shared.pause();
        shared.start(chunk);
        shared.initialCredits();
        shared.resume();
        assertThat(asked).isEqualTo(1);
    }
}
