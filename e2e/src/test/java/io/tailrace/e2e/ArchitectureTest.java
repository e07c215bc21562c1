package io.tailrace.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.internal.Brokers;
import io.tailrace.client.report.ServedRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The walls of the house: who may know whom. */
class ArchitectureTest {
    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.tailrace");

    private static final DescribedPredicate<JavaClass> CLIENTS_INSIDE =
            JavaClass.Predicates.resideInAPackage("io.tailrace.client..internal..");

    private static final ArchRule ONLY_WORKER_AND_LABORATORY_KNOW_THE_CLIENTS_INSIDE = noClasses()
            .that()
            .resideOutsideOfPackages("io.tailrace.client..", "io.tailrace.worker..", "io.tailrace.lab..")
            .should()
            .dependOnClassesThat(CLIENTS_INSIDE);

    @Test
    void theWholeHouseIsLookedAt() {
        for (String room : List.of(
                "terminal",
                "schemas",
                "suffix",
                "strategies",
                "gpu",
                "operators",
                "jobs",
                "client",
                "monitoring",
                "worker",
                "tap",
                "agent",
                "local",
                "cli",
                "lab")) {
            assertThat(HOUSE.stream().anyMatch(type -> type.getPackageName().startsWith("io.tailrace." + room)))
                    .as(room)
                    .isTrue();
        }
    }

    /** Elsewhere numbers have other digits. */
    @Test
    void everyProgramWritesNumbersAlikeOnAllMachines() {
        List<JavaMethod> programs = HOUSE.stream()
                .flatMap(type -> type.tryGetMethod("main", String[].class).stream())
                .toList();
        assertThat(programs)
                .hasSizeGreaterThan(2)
                .allSatisfy(main -> assertThat(main.getMethodCallsFromSelf())
                        .anyMatch(call -> call.getTargetOwner().isEquivalentTo(Locale.class)
                                && call.getName().equals("setDefault")));
    }

    @Test
    void terminalKnowsNothingElseOfTheHouse() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.tailrace.terminal..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("io.tailrace..")
                        .and(DescribedPredicate.not(JavaClass.Predicates.resideInAPackage("io.tailrace.terminal.."))));
        rule.check(HOUSE);
    }

    @Test
    void suffixKnowsTheJdkOnly() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.tailrace.suffix..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.tailrace.suffix..", "java..");
        rule.check(HOUSE);
    }

    @Test
    void theProductDoesNotKnowTheLaboratory() {
        ArchRule rule = noClasses()
                .that()
                .resideOutsideOfPackage("io.tailrace.lab..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.tailrace.lab..");
        rule.check(HOUSE);
    }

    @Test
    void publishedStrategiesAreFoundByNameAndKnownToTheLaboratoryOnly() {
        ArchRule rule = noClasses()
                .that()
                .resideOutsideOfPackages("io.tailrace.strategies..", "io.tailrace.lab..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.tailrace.strategies..");
        rule.check(HOUSE);
    }

    @Test
    void publishedStrategiesKnowDraftingOnly() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.tailrace.strategies..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.tailrace.strategies..", "io.tailrace.suffix..", "java..");
        rule.check(HOUSE);
    }

    @Test
    void theClientKnowsRecordsIndexesKafkaAndStoresOnly() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.tailrace.client..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.tailrace.client..",
                        "io.tailrace.schemas..",
                        "io.tailrace.suffix..",
                        "org.apache.kafka.clients..",
                        "org.apache.kafka.common..",
                        "org.apache.avro..",
                        "org.HdrHistogram..",
                        "org.slf4j..",
                        "software.amazon.awssdk..",
                        "java..");
        rule.check(HOUSE);
    }

    /** What whoever writes an engine or an adapter builds on: what is added here, everyone must learn. */
    @Test
    void theClientsFaceIsTwentySevenTypes() {
        assertThat(HOUSE.stream()
                        .filter(type -> type.getPackageName().matches("io\\.tailrace\\.client(\\.(?!.*internal).*)?"))
                        .filter(type ->
                                type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(type -> type.getName().substring("io.tailrace.client.".length())))
                .containsExactlyInAnyOrder(
                        "TailraceClient",
                        "ClientOptions",
                        "ReportingOptions",
                        "KafkaAccess",
                        "UnreachableBrokersException",
                        "follow.FollowOptions",
                        "follow.FreshFrom",
                        "follow.ServedModel",
                        "follow.FollowedLane",
                        "follow.LaneState",
                        "draft.DraftSource",
                        "draft.DraftPlan",
                        "draft.DraftedStep",
                        "draft.StepOutcomes",
                        "draft.RequestDrafts",
                        "draft.EarlyDrafts",
                        "draft.FleetDrafts",
                        "draft.DraftLearning",
                        "draft.DraftTerms",
                        "budget.BudgetChoice",
                        "budget.RequestBudget",
                        "verification.Verdict",
                        "verification.DecodeTally",
                        "verification.DecodeResult",
                        "report.ServedRequest",
                        "report.Reporter",
                        "report.SpoolState");
    }

    /** What an engine's writer is shown names nothing that is hidden from them. */
    @Test
    void theClientsFaceShowsNothingOfItsInside() {
        assertThat(HOUSE.stream()
                        .filter(ArchitectureTest::isFace)
                        .flatMap(ArchitectureTest::shown)
                        .filter(shown -> CLIENTS_INSIDE.test(shown.type()))
                        .map(Shown::toString))
                .isEmpty();
    }

    /** A type that is seen at a place of the face. */
    private record Shown(String place, JavaClass type) {}

    private static boolean isFace(JavaClass type) {
        return type.getPackageName().startsWith("io.tailrace.client")
                && !CLIENTS_INSIDE.test(type)
                && type.getModifiers().contains(JavaModifier.PUBLIC);
    }

    private static Stream<Shown> shown(JavaClass face) {
        Stream<JavaType> above = Stream.concat(face.getInterfaces().stream(), face.getSuperclass().stream());
        return Stream.of(
                        above.map(type -> Map.entry(face.getName(), type)),
                        face.getFields().stream()
                                .filter(ArchitectureTest::isSeen)
                                .map(field -> Map.entry(field.getFullName(), field.getType())),
                        face.getCodeUnits().stream()
                                .filter(ArchitectureTest::isSeen)
                                .flatMap(unit -> Stream.concat(
                                                Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
                                        .map(type -> Map.entry(unit.getFullName(), type))))
                .flatMap(Function.identity())
                .flatMap(shown -> shown.getValue().getAllInvolvedRawTypes().stream()
                        .map(type -> new Shown(shown.getKey(), type)));
    }

    private static boolean isSeen(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }

    @Test
    void onlyTheWorkerAndTheLaboratoryKnowTheClientsInside() {
        ONLY_WORKER_AND_LABORATORY_KNOW_THE_CLIENTS_INSIDE.check(HOUSE);
    }

    @Test
    void whoLooksBehindTheClientsFaceIsFound() {
        JavaClasses house = new ClassFileImporter().importClasses(LooksBehindTheFace.class, TailraceClient.class);
        assertThatThrownBy(() -> ONLY_WORKER_AND_LABORATORY_KNOW_THE_CLIENTS_INSIDE.check(house))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(LooksBehindTheFace.class.getName())
                .hasMessageContaining(Brokers.class.getName());
    }

    /** What nobody but worker and laboratory may do. */
    static final class LooksBehindTheFace {
        static String prefix(Brokers brokers) {
            return brokers.topicPrefix();
        }
    }

    @Test
    void theGpuKnowsDraftingAndItsDriverOnly() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.tailrace.gpu..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.tailrace.gpu..", "io.tailrace.suffix..", "jcuda..", "java..");
        rule.check(HOUSE);
    }

    @Test
    void theDriverAppearsInOnePackageOnly() {
        ArchRule rule = noClasses()
                .that()
                .resideOutsideOfPackage("io.tailrace.gpu.driver..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jcuda..");
        rule.check(HOUSE);
    }

    @Test
    void schemasKnowAvroOnly() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.tailrace.schemas..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.tailrace.schemas..", "org.apache.avro..", "java..");
        rule.check(HOUSE);
    }

    @Test
    void theTapTakesOfTheWorkerWhatServesNoModel() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.tailrace.tap..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.tailrace.worker.engine..",
                        "io.tailrace.worker.serve..",
                        "io.tailrace.worker.djl..",
                        "io.tailrace.agent..",
                        "io.tailrace.jobs..",
                        "io.tailrace.cli..");
        rule.check(HOUSE);
    }

    @Test
    void monitoringKnowsTheClientAndItsLibrariesOnly() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.tailrace.monitoring..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.tailrace.monitoring..",
                        "io.tailrace.client..",
                        "io.tailrace.schemas..",
                        "io.micrometer..",
                        "io.javalin..",
                        "kotlin..",
                        "org.slf4j..",
                        "java..");
        rule.check(HOUSE);
    }

    /** It stands beside an engine, and takes little of its machine; its class path is held by the rule in its project file. */
    @Test
    void theAgentKnowsTheClientAndItsPageOnly() {
        ArchRule rule = classes()
                .that()
                .resideInAPackage("io.tailrace.agent..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.tailrace.agent..",
                        "io.tailrace.client..",
                        "io.tailrace.monitoring..",
                        "io.tailrace.terminal..",
                        "io.tailrace.schemas..",
                        "io.tailrace.suffix..",
                        "io.micrometer..",
                        "org.slf4j..",
                        "picocli..",
                        "com.sun.management..",
                        "java..");
        rule.check(HOUSE);
    }

    @Test
    void operatorsAndWorkersMeetOnlyInKafkaAndTheStore() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.tailrace.operators..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.tailrace.client..",
                        "io.tailrace.worker..",
                        "io.tailrace.jobs..",
                        "io.tailrace.local..",
                        "io.tailrace.cli..",
                        "org.apache.kafka..",
                        "org.apache.flink.connector.kafka..");
        rule.check(HOUSE);
    }

    @Test
    void workersKnowNeitherFlinkNorTheJob() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.tailrace.worker..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.tailrace.operators..",
                        "io.tailrace.jobs..",
                        "io.tailrace.local..",
                        "io.tailrace.cli..",
                        "org.apache.flink..");
        rule.check(HOUSE);
    }

    @Test
    void kafkaConnectorsAppearInJobsOnly() {
        ArchRule rule = noClasses()
                .that()
                .resideOutsideOfPackage("io.tailrace.jobs..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.flink.connector.kafka..");
        rule.check(HOUSE);
    }

    @Test
    void theBrokerInProcessStaysInLocal() {
        ArchRule rule = noClasses()
                .that()
                .resideOutsideOfPackage("io.tailrace.local..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("kafka..", "org.apache.kafka.server..", "org.apache.kafka.metadata..");
        rule.check(HOUSE);
    }

    @Test
    void theModelEngineStaysInOnePackage() {
        ArchRule rule = noClasses()
                .that()
                .resideOutsideOfPackage("io.tailrace.worker.djl")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ai.djl..");
        rule.check(HOUSE);
    }

    @Test
    void modelsAreServedThroughTheirPort() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.tailrace.worker..")
                .and()
                .resideOutsideOfPackage("io.tailrace.worker.djl")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.tailrace.worker.djl");
        rule.check(HOUSE);
    }

    /** An answer has thousands of tokens: what wants its numbers takes them from the answer, not from records of its own. */
    @Test
    void theWorkerMakesRecordsOfAnAnswerInOnePlace() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("io.tailrace.worker..")
                .and()
                .doNotHaveFullyQualifiedName("io.tailrace.worker.serve.ReportedAnswers")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ServedRequest.class);
        rule.check(HOUSE);
    }

    @Test
    void commandLinesAreNotKnownBelowJobs() {
        ArchRule rule = noClasses()
                .that()
                .resideInAnyPackage(
                        "io.tailrace.suffix..",
                        "io.tailrace.schemas..",
                        "io.tailrace.operators..",
                        "io.tailrace.worker..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..");
        rule.check(HOUSE);
    }

    @Test
    void noPackageGoesInCircles() {
        ArchRule rule = slices().matching("io.tailrace.(**)").should().beFreeOfCycles();
        rule.check(HOUSE);
    }
}
