package io.tailrace.jobs.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Topic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

final class TopicCheckTest {
    private final MockAdminClient admin = MockAdminClient.create().numBrokers(1).build();

    private Optional<String> trouble() throws Exception {
        Map<String, Topic> topics = new LinkedHashMap<>();
        for (Topic topic : Topic.values()) {
            topics.put(topic.name("p-"), topic);
        }
        return TopicCheck.trouble(admin, topics);
    }

    @Test
    void topicsThatWereCreatedAreWhatAJobNeeds() throws Exception {
        new TopicCreation(admin).run("p-", TopicCreation.DEFAULT_REPLICATION);
        assertThat(trouble()).isEmpty();
    }

    @Test
    void aTopicThatIsMissingIsNamedWithTheRemedy() throws Exception {
        new TopicCreation(admin).run("p-", TopicCreation.DEFAULT_REPLICATION);
        admin.deleteTopics(List.of("p-snapshots")).all().get();
        assertThat(trouble())
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("there is no topic p-snapshots; ")
                        .contains("tailrace topics create"));
    }

    /** As brokers make them that are asked for a topic. */
    @Test
    void topicsWithTheBrokersOwnSettingsAreNamed() throws Exception {
        for (Topic topic : Topic.values()) {
            admin.createTopics(List.of(new NewTopic(topic.name("p-"), 1, (short) 1)
                            .configs(Map.of("cleanup.policy", "delete", "retention.ms", "604800000"))))
                    .all()
                    .get();
        }
        assertThat(trouble())
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("topic p-snapshots: cleanup.policy must be compact, is delete; "
                                + "topic p-control: retention.ms must be -1, is 604800000; "
                                + "topic p-workers: cleanup.policy must be compact, is delete; delete a topic"));
    }

    /** Runbooks ask for longer ones, and who can say what is too short? */
    @Test
    void theRetentionOfWhatIsNotKeptForEverIsTheOperators() throws Exception {
        new TopicCreation(admin).run("p-", TopicCreation.DEFAULT_REPLICATION);
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, "p-generations"),
                        List.of(new AlterConfigOp(
                                new ConfigEntry("retention.ms", "600000000"), AlterConfigOp.OpType.SET))))
                .all()
                .get();
        assertThat(trouble()).isEmpty();
    }
}
