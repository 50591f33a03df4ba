package io.openmessaging.benchmark.driver.testkit;

import java.util.List;

/** Defects that a {@link TinyDriver} can have, each with the tests of the contract that must detect it. */
enum Defect {
    NONE,
    CLASS_IS_HIDDEN("theClassCanBeLoadedByName"),
    CONFIG_TYPE_IS_ANOTHER("theConfigurationTypeIsTheRecordOfTheConfiguration"),
    CLIENT_HAS_NO_NAME("theClientLibraryIsNamed"),
    ADDRESSES_HAVE_NO_PORT("addressesAreHostAndPort"),
    OTHER_ADDRESSES_ARE_IGNORED(
            "withAddressesChangesTheAddresses",
            "anAddressWhereNothingListensIsAnErrorThatNamesIt",
            "anAddressThatDoesNotAnswerIsAnErrorThatNamesIt"),
    BROKER_HAS_NO_VERSION("theBrokerIsDescribed"),
    ERRORS_DO_NOT_NAME_THE_ADDRESS(
            "anAddressWhereNothingListensIsAnErrorThatNamesIt", "anAddressThatDoesNotAnswerIsAnErrorThatNamesIt"),
    INTERRUPT_BECOMES_A_DRIVER_EXCEPTION("anInterruptEndsABlockedControlCall"),
    TOPICS_ARE_PRIVATE("aSecondConnectionUsesTopicsOfTheFirst", "closingAConnectionKeepsItsTopics"),
    CONNECTION_CLOSE_DELETES_TOPICS("closingAConnectionKeepsItsTopics"),
    CREATING_AGAIN_REPLACES_THE_TOPIC("creatingATopicAgainDoesNoHarm"),
    DELETED_TOPICS_STAY("aDeletedTopicIsGone"),
    DELETING_A_MISSING_TOPIC_FAILS("deletingATopicThatIsGoneIsNoError"),
    EXISTING_TOPICS_ARE_CREATED("anExistingTopicThatIsNotThereIsRefusedAndNotCreated"),
    EXISTING_TOPICS_ARE_DELETED("anExistingTopicIsUsedAndStays"),
    KEYS_ARE_DROPPED(
            "keysAndPayloadsArriveAsTheyWereSent", "headersChangeNeitherKeysNorPayloads", "aKeyDecidesThePartition"),
    NULL_KEYS_BECOME_EMPTY("keysAndPayloadsArriveAsTheyWereSent", "headersChangeNeitherKeysNorPayloads"),
    HEADERS_REPLACE_THE_KEY("headersChangeNeitherKeysNorPayloads"),
    LEADERS_ARE_STRANGERS("leadersAreNodesOfTheSystem"),
    LEADERS_ARE_TOO_FEW("leadersAreNodesOfTheSystem"),
    PAYLOADS_ARE_CHANGED(
            "keysAndPayloadsArriveAsTheyWereSent",
            "headersChangeNeitherKeysNorPayloads",
            "thePayloadIsOwnedAsTheDriverSays"),
    PAYLOADS_ARE_CUT("keysAndPayloadsArriveAsTheyWereSent", "headersChangeNeitherKeysNorPayloads"),
    ARRAYS_ARE_READ_AFTER_SEND("thePayloadIsOwnedAsTheDriverSays"),
    CALLBACKS_COME_TWICE("theCallbackIsCalledOnceForEachSend", "aFailedSendIsReportedThroughTheCallback"),
    CALLBACKS_COME_AFTER_CLOSE(
            "theCallbackIsCalledOnceForEachSend", "anInterruptedCloseIsPromptAndKeepsTheInterruptStatus"),
    REFUSED_SENDS_THROW("aFailedSendIsReportedThroughTheCallback"),
    REFUSED_SENDS_ARE_ACKNOWLEDGED("aFailedSendIsReportedThroughTheCallback"),
    ORDER_OF_SPECIFICATIONS_IS_LOST("producersAndConsumersComeInTheOrderOfTheirSpecifications"),
    ONLY_ONE_SUBSCRIPTION_IS_SERVED("eachSubscriptionGetsEveryMessage", "aClosedConsumerIsNotCalledAnyMore"),
    SHARING_CONSUMERS_GET_COPIES("consumersOfASubscriptionShareItsMessages"),
    ONE_CONSUMER_GETS_EVERYTHING("consumersOfASubscriptionShareItsMessages"),
    CONSUMERS_ATTACH_LATE("everythingSentAfterConsumersWereCreatedArrives"),
    READERS_ARE_MISSING(
            "aReaderGetsEverythingThatWasSentBefore",
            "aReaderLeavesOtherSubscriptionsAlone",
            "aSecondReaderGetsEverythingOnceMore"),
    READERS_BEGIN_AT_THE_END(
            "aReaderGetsEverythingThatWasSentBefore",
            "aReaderLeavesOtherSubscriptionsAlone",
            "aSecondReaderGetsEverythingOnceMore"),
    READERS_TAKE_MESSAGES_FROM_OTHERS("aReaderLeavesOtherSubscriptionsAlone"),
    READERS_SHARE_A_POSITION("aSecondReaderGetsEverythingOnceMore"),
    KEYS_DECIDE_NOTHING("aKeyDecidesThePartition"),
    ONE_PARTITION_GETS_EVERYTHING("aKeyDecidesThePartition", "messagesWithoutKeyReachAllPartitions"),
    PARTITIONS_COUNT_FROM_ONE("aKeyDecidesThePartition", "messagesWithoutKeyReachAllPartitions"),
    ORDER_IS_LOST(
            "messagesOfAPartitionKeepTheOrderOfTheirProducer", "aConsumerThatBlocksGetsEachMessageOnceAndInOrder"),
    MESSAGES_ARE_DUPLICATED("everythingSentAfterConsumersWereCreatedArrives"),
    CALLS_OVERLAP("callsOfAListenerNeverOverlap"),
    CONSUMERS_SHARE_A_THREAD("consumersThatBlockDoNotWaitForEachOther"),
    PAUSE_IS_IGNORED("pauseStopsDeliveryAndResumeGoesOnWhereItStopped"),
    MESSAGES_ARE_LOST_DURING_PAUSE("pauseStopsDeliveryAndResumeGoesOnWhereItStopped"),
    CLOSE_IS_SLOW("anIdleProducerClosesPromptly", "anIdleConsumerClosesPromptly"),
    CLOSE_WAITS_FOR_WHAT_IS_FETCHED("aSlowConsumerClosesPromptly"),
    CLOSED_CONSUMERS_GO_ON("aClosedConsumerIsNotCalledAnyMore"),
    CLOSE_CLEARS_THE_INTERRUPT_STATUS("anInterruptedCloseIsPromptAndKeepsTheInterruptStatus"),
    ERRORS_ARE_REPORTED("anIdleProducerClosesPromptly");

    private final List<String> noticedBy;

    Defect(String... noticedBy) {
        this.noticedBy = List.of(noticedBy);
    }

    List<String> noticedBy() {
        return noticedBy;
    }
}
