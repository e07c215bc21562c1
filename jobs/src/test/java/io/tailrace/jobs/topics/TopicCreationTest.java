package io.tailrace.jobs.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.jobs.topics.TopicCreation.Report;
import io.tailrace.schemas.Topic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

final class TopicCreationTest {
    private static final String IN_SYNC = "min.insync.replicas";

    private final MockAdminClient admin = cluster(1);

    /** Four brokers, which give a topic so many replicas where nobody says how many. */
    private static MockAdminClient cluster(int replicas) {
        return MockAdminClient.create()
                .numBrokers(4)
                .defaultReplicationFactor(replicas)
                .build();
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(List.of("generations-acme", "outcomes-acme"));
        for (Topic topic : Topic.values()) {
            names.add(topic.name(""));
        }
        return names;
    }

    private static List<Report> create(MockAdminClient admin, int replication) throws Exception {
        return new TopicCreation(admin).run("", (short) replication, List.of("acme"));
    }

    /** What a topic says of its own; null: nothing. */
    private static String inSync(MockAdminClient admin, String topic) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        ConfigEntry entry = admin.describeConfigs(Set.of(resource))
                .all()
                .get()
                .get(resource)
                .get(IN_SYNC);
        return entry == null ? null : entry.value();
    }

    private static void set(MockAdminClient admin, String topic, String key, String value) throws Exception {
        Map<ConfigResource, Collection<AlterConfigOp>> change = new HashMap<>();
        change.put(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET)));
        admin.incrementalAlterConfigs(change).all().get();
    }

    @Test
    void everyTopicOfThreeOrMoreReplicasAsksForTwoInSync() throws Exception {
        for (int replicas = 3; replicas <= 4; replicas++) {
            MockAdminClient asked = cluster(1);
            assertThat(create(asked, replicas))
                    .allSatisfy(report -> assertThat(report.status()).isEqualTo(Report.Status.CREATED));
            MockAdminClient byDefault = cluster(replicas);
            create(byDefault, TopicCreation.DEFAULT_REPLICATION);
            for (String name : names()) {
                assertThat(inSync(asked, name)).as(name).isEqualTo("2");
                assertThat(inSync(byDefault, name)).as(name).isEqualTo("2");
            }
        }
    }

    @Test
    void aTopicOfFewerReplicasIsLeftToTheBrokers() throws Exception {
        for (int replicas = 1; replicas <= 2; replicas++) {
            MockAdminClient few = cluster(3);
            create(few, replicas);
            for (String name : names()) {
                assertThat(inSync(few, name)).as(name).isNull();
            }
        }
    }

    @Test
    void whatWasCreatedIsFoundAsItShouldBe() throws Exception {
        for (int replicas : List.of(1, 3)) {
            MockAdminClient cluster = cluster(replicas);
            create(cluster, TopicCreation.DEFAULT_REPLICATION);
            assertThat(create(cluster, TopicCreation.DEFAULT_REPLICATION))
                    .hasSize(names().size())
                    .allSatisfy(report ->
                            assertThat(report.status()).as(report.toString()).isEqualTo(Report.Status.EXISTED));
        }
    }

    @Test
    void aTopicOfThreeReplicasThatAsksForOneIsNamedAndLeftAlone() throws Exception {
        create(admin, 3);
        set(admin, "outcomes-acme", IN_SYNC, "1");
        assertThat(create(admin, 3))
                .filteredOn(report -> report.status() == Report.Status.DIFFERS)
                .singleElement()
                .satisfies(report -> {
                    assertThat(report.name()).isEqualTo("outcomes-acme");
                    assertThat(report.detail()).isEqualTo(IN_SYNC + ": expected 2, got 1");
                });
        assertThat(inSync(admin, "outcomes-acme")).isEqualTo("1");
    }

    @Test
    void whatMayBeMoreIsNotedAndNoDifference() throws Exception {
        make(Topic.ADMITTED, 64);
        create(admin, 1);
        set(admin, "generations", "retention.ms", "172800000");
        set(admin, "outcomes", "retention.ms", "-1");
        set(admin, "snapshots", "max.message.bytes", "16777216");
        assertThat(create(admin, 1))
                .allSatisfy(report ->
                        assertThat(report.status()).as(report.toString()).isEqualTo(Report.Status.EXISTED));
        assertThat(details(create(admin, 1)))
                .containsEntry("admitted", "partitions: expected 16, got 64, which is fine")
                .containsEntry("generations", "retention.ms: expected 86400000, got 172800000, which is fine")
                .containsEntry("outcomes", "retention.ms: expected 86400000, got -1, which is fine")
                .containsEntry("snapshots", "max.message.bytes: expected 8388608, got 16777216, which is fine")
                .containsEntry("control", "");
    }

    @Test
    void moreReplicasThanAskedForAreNotedAndFewerDiffer() throws Exception {
        create(admin, 3);
        assertThat(create(admin, 2))
                .allSatisfy(report -> assertThat(report)
                        .isEqualTo(new Report(
                                report.name(), Report.Status.EXISTED, "replicas: expected 2, got 3, which is fine")));
        assertThat(create(admin, 4))
                .allSatisfy(report -> assertThat(report)
                        .isEqualTo(new Report(report.name(), Report.Status.DIFFERS, "replicas: expected 4, got 3")));
    }

    @Test
    void whatBreaksAPromiseDiffers() throws Exception {
        make(Topic.CONTROL, 2);
        create(admin, 1);
        set(admin, "generations", "retention.ms", "60000");
        set(admin, "events", "message.timestamp.type", "CreateTime");
        set(admin, "snapshots", "cleanup.policy", "compact,delete");
        set(admin, "admitted", "compression.type", "producer");
        set(admin, "workers", "max.message.bytes", "1048588");
        List<Report> reports = create(admin, 1);
        assertThat(reports)
                .filteredOn(report -> report.status() == Report.Status.DIFFERS)
                .extracting(Report::name)
                .containsExactlyInAnyOrder("control", "generations", "events", "snapshots", "admitted", "workers");
        assertThat(details(reports))
                .containsEntry("control", "partitions: expected 1, got 2")
                .containsEntry("generations", "retention.ms: expected 86400000, got 60000")
                .containsEntry("admitted", "compression.type: expected uncompressed, got producer");
    }

    /** What is to be kept for ever is kept for no number of years. */
    @Test
    void noRetentionIsLongerThanForEver() throws Exception {
        create(admin, 1);
        set(admin, "control", "retention.ms", Long.toString(Long.MAX_VALUE));
        assertThat(details(create(admin, 1)))
                .containsEntry("control", "retention.ms: expected -1, got " + Long.MAX_VALUE);
    }

    /** As somebody else did. */
    private void make(Topic topic, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic.name(""), partitions, (short) 1).configs(topic.settings())))
                .all()
                .get();
    }

    private static Map<String, String> details(List<Report> reports) {
        return reports.stream().collect(Collectors.toMap(Report::name, Report::detail));
    }

    @Test
    void aTopicThatSomebodyMadeWithThreeReplicasAndNothingElseSaysSo() throws Exception {
        admin.createTopics(List.of(
                        new NewTopic("events", Topic.EVENTS.partitions(), (short) 3).configs(Topic.EVENTS.settings())))
                .all()
                .get();
        assertThat(create(admin, 3))
                .filteredOn(report -> report.name().equals("events"))
                .singleElement()
                .satisfies(report -> assertThat(report.detail()).isEqualTo(IN_SYNC + ": expected 2, got nothing"));
    }
}
