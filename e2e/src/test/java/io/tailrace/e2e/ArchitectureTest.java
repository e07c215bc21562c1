package io.tailrace.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the house: who may know whom. */
@AnalyzeClasses(packages = "io.tailrace", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule suffixKnowsTheJdkOnly = classes()
            .that()
            .resideInAPackage("io.tailrace.suffix..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.tailrace.suffix..", "java..");

    @ArchTest
    static final ArchRule schemasKnowAvroOnly = classes()
            .that()
            .resideInAPackage("io.tailrace.schemas..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.tailrace.schemas..", "org.apache.avro..", "java..");

    @ArchTest
    static final ArchRule operatorsAndWorkersMeetOnlyInKafkaAndTheStore = noClasses()
            .that()
            .resideInAPackage("io.tailrace.operators..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.tailrace.worker..",
                    "io.tailrace.jobs..",
                    "io.tailrace.local..",
                    "io.tailrace.cli..",
                    "org.apache.kafka..",
                    "org.apache.flink.connector.kafka..");

    @ArchTest
    static final ArchRule workersKnowNeitherFlinkNorTheJob = noClasses()
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

    @ArchTest
    static final ArchRule kafkaConnectorsAppearInJobsOnly = noClasses()
            .that()
            .resideOutsideOfPackage("io.tailrace.jobs..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.flink.connector.kafka..");

    @ArchTest
    static final ArchRule theBrokerInProcessStaysInLocal = noClasses()
            .that()
            .resideOutsideOfPackage("io.tailrace.local..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("kafka..", "org.apache.kafka.server..", "org.apache.kafka.metadata..");

    @ArchTest
    static final ArchRule commandLinesAreNotKnownBelowJobs = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.tailrace.suffix..", "io.tailrace.schemas..", "io.tailrace.operators..", "io.tailrace.worker..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule noPackageGoesInCircles =
            slices().matching("io.tailrace.(**)").should().beFreeOfCycles();
}
