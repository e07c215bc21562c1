package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be said of docker-compose.yml without a container engine. */
class ComposeFileTest {
    private static final Map<String, Object> COMPOSE = RepositoryFiles.yaml("docker-compose.yml");
    private static final Set<String> KEYS = Set.of(
            "image",
            "build",
            "hostname",
            "restart",
            "environment",
            "entrypoint",
            "command",
            "ports",
            "volumes",
            "depends_on",
            "healthcheck",
            "mem_limit",
            "security_opt",
            "cap_drop",
            "logging");
    private static final Pattern PINNED = Pattern.compile("[a-z0-9./-]+:v?[0-9]+\\.[0-9]+(\\.[0-9]+)?[A-Za-z0-9._-]*");
    private static final Pattern LOOPBACK_PORT =
            Pattern.compile("(\\$\\{TAILRACE_HOST:-)?127\\.0\\.0\\.1}?:[0-9]+:[0-9]+");

    static Stream<Arguments> services() {
        return services(COMPOSE).entrySet().stream()
                .map(service -> Arguments.of(service.getKey(), RepositoryFiles.map(service.getValue())));
    }

    private static Map<String, Object> services(Map<String, Object> compose) {
        return RepositoryFiles.map(compose.get("services"));
    }

    @Test
    void hasTheWholeLoop() {
        assertThat(services(COMPOSE).keySet())
                .containsExactlyInAnyOrder(
                        "kafka",
                        "topics",
                        "store",
                        "setup",
                        "jobmanager",
                        "taskmanager",
                        "worker",
                        "agent",
                        "prometheus",
                        "grafana");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void usesOnlyKeysOfTheComposeSpecificationThatAreReviewedHere(String name, Map<String, Object> service) {
        assertThat(KEYS).containsAll(service.keySet());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void pinsItsImage(String name, Map<String, Object> service) {
        assertThat(service.get("image")).asString().matches(PINNED);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void isCheckedForHealthOrEndsByItself(String name, Map<String, Object> service) {
        if (isOneShot(service)) {
            assertThat(service).doesNotContainKey("healthcheck");
        } else {
            assertThat(service.get("restart")).isIn("unless-stopped", "on-failure");
            assertThat(RepositoryFiles.strings(
                            RepositoryFiles.map(service.get("healthcheck")).get("test")))
                    .startsWith("CMD");
        }
    }

    private static boolean isOneShot(Map<String, Object> service) {
        return "on-failure:5".equals(service.get("restart"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void boundsItsMemoryAndItsRights(String name, Map<String, Object> service) {
        assertThat(service.get("mem_limit")).asString().matches("[0-9]+[mg]");
        assertThat(RepositoryFiles.strings(service.get("security_opt"))).contains("no-new-privileges:true");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void listensOnLoopbackUnlessToldOtherwise(String name, Map<String, Object> service) {
        assertThat(RepositoryFiles.strings(service.get("ports"))).allMatch(LOOPBACK_PORT.asMatchPredicate());
    }

    @Test
    void noTwoServicesWantOneHostPort() {
        List<String> ports = services(COMPOSE).values().stream()
                .flatMap(service ->
                        RepositoryFiles.strings(RepositoryFiles.map(service).get("ports")).stream())
                .map(port -> port.replaceAll("^.*1}?:|:[0-9]+$", ""))
                .toList();
        assertThat(ports).doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void mountsDeclaredVolumesAndExistingFiles(String name, Map<String, Object> service) {
        Set<String> declared = RepositoryFiles.map(COMPOSE.get("volumes")).keySet();
        for (String volume : RepositoryFiles.strings(service.get("volumes"))) {
            String source = source(volume);
            if (source.startsWith("./")) {
                assertThat(RepositoryFiles.root().resolve(source)).exists();
                assertThat(volume).endsWith(":ro");
            } else {
                assertThat(declared).contains(source);
            }
        }
    }

    private static Stream<String> folders(Map<String, Object> service) {
        return RepositoryFiles.strings(service.get("volumes")).stream()
                .map(volume -> volume.replaceAll(":ro$", ""))
                .map(volume -> volume.substring(volume.lastIndexOf(':') + 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void mountsTheFilesThatItsOptionsName(String name, Map<String, Object> service) {
        for (String argument : RepositoryFiles.strings(service.get("command"))) {
            if (argument.matches("--(signing-key|trusted-keys|input)=/.*")) {
                assertThat(folders(service)).as(argument).anyMatch(folder -> argument.contains("=" + folder + "/"));
            }
        }
    }

    /** A TaskManager signs what the job announces; a worker has no use for the private key. */
    @Test
    void signsWhatTheJobAnnouncesAndChecksItEverywhere() {
        assertThat(arguments("jobmanager"))
                .contains("--signing-key=/keys/signing.pem", "--trusted-keys=/keys/trusted.pem");
        for (String client : List.of("worker", "agent")) {
            assertThat(arguments(client))
                    .contains("--trusted-keys=/keys/trusted.pem")
                    .noneMatch(argument -> argument.startsWith("--signing-key"));
        }
        assertThat(folders(RepositoryFiles.map(services(COMPOSE).get("taskmanager"))))
                .contains("/keys");
    }

    /** What its head tells who brings an engine. */
    @Test
    void anEngineFindsTheAgentsSocketAndIsItsUser() {
        String head = RepositoryFiles.text("docker-compose.yml").split("\nname:", 2)[0];
        assertThat(RepositoryFiles.text("deploy/docker/Dockerfile")).contains("--uid 10001 ");
        assertThat(RepositoryFiles.strings(
                        RepositoryFiles.map(services(COMPOSE).get("agent")).get("volumes")))
                .contains("socket:/run/tailrace");
        assertThat(arguments("agent")).contains("--listen=/run/tailrace/agent.sock");
        assertThat(head)
                .contains(
                        " --user 10001 -e HOME=/tmp -e USER=engine ",
                        " -e TAILRACE_AGENT=/run/tailrace/agent.sock ",
                        " -v " + COMPOSE.get("name") + "_socket:/run/tailrace ",
                        "TAILRACE_MODEL=MODEL@REVISION,");
    }

    private static List<String> arguments(String service) {
        return RepositoryFiles.strings(
                RepositoryFiles.map(services(COMPOSE).get(service)).get("command"));
    }

    /** What is mounted; of a variable its default. */
    private static String source(String volume) {
        String plain = volume.replaceAll("\\$\\{[A-Z_]+:-([^}]*)}", "$1");
        return plain.substring(0, plain.indexOf(':'));
    }

    @Test
    void usesEveryVolumeItDeclares() {
        Set<String> used = new TreeSet<>();
        services(COMPOSE)
                .values()
                .forEach(service -> RepositoryFiles.strings(
                                RepositoryFiles.map(service).get("volumes"))
                        .forEach(volume -> used.add(source(volume))));
        assertThat(used).containsAll(RepositoryFiles.map(COMPOSE.get("volumes")).keySet());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void waitsForServicesThatExistAndCanSayThatTheyAreReady(String name, Map<String, Object> service) {
        Map<String, Object> awaited =
                service.get("depends_on") == null ? Map.of() : RepositoryFiles.map(service.get("depends_on"));
        awaited.forEach((other, how) -> {
            Map<String, Object> otherService =
                    RepositoryFiles.map(services(COMPOSE).get(other));
            assertThat(otherService).as("%s waits for %s", name, other).isNotNull();
            String condition = String.valueOf(RepositoryFiles.map(how).get("condition"));
            switch (condition) {
                case "service_healthy" -> assertThat(otherService).containsKey("healthcheck");
                case "service_completed_successfully" ->
                    assertThat(isOneShot(otherService)).isTrue();
                default -> assertThat(condition).isEqualTo("service_started");
            }
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void buildsFromAFileAndAStageThatExist(String name, Map<String, Object> service) throws Exception {
        if (service.get("build") != null) {
            Map<String, Object> build = RepositoryFiles.map(service.get("build"));
            String dockerfile = String.valueOf(build.get("dockerfile"));
            assertThat(Files.readAllLines(RepositoryFiles.root().resolve(dockerfile)))
                    .anyMatch(line -> line.startsWith("FROM ") && line.endsWith(" AS " + build.get("target")));
        }
    }

    @Test
    void theImagesAreBuiltFromPinnedOnes() throws Exception {
        assertThat(builtFrom())
                .hasSize(3)
                .allMatch(image -> PINNED.matcher(image).matches());
    }

    /** Flink's image ends with its user, who may not make folders at the root; so does what stands in for it. */
    @Test
    void theFlinkImageIsBuiltByRootAndRunByItsUser() {
        String flink = "(?s).*FROM \\S+ AS flink\n%s.*?\nUSER flink\n.*";
        assertThat(RepositoryFiles.text("deploy/docker/Dockerfile")).matches(flink.formatted("USER root\n"));
        assertThat(RepositoryFiles.text("deploy/docker/bases/Dockerfile")).matches(flink.formatted(""));
    }

    private static List<String> builtFrom() throws IOException {
        return Files.readAllLines(RepositoryFiles.root().resolve("deploy/docker/Dockerfile")).stream()
                .filter(line -> line.startsWith("FROM "))
                .map(line -> line.split(" ", -1)[1])
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void saysNothingTwiceOrTooFreely(String name, Map<String, Object> service) {
        assertThat(service.get("environment") == null ? Map.of() : RepositoryFiles.map(service.get("environment")))
                .allSatisfy((key, value) -> {
                    if (key.contains("SECRET") || key.contains("PASSWORD") || key.endsWith("CREDENTIAL")) {
                        assertThat(value).asString().startsWith("${");
                    }
                });
    }

    /** What nobody can pull is made under the tags that are used; only Grafana has nothing that stands in for it. */
    @Test
    void everyImageButGrafanasCanBeMadeWhereNoneCanBePulled() throws Exception {
        String script = RepositoryFiles.text("deploy/docker/bases.sh");
        Set<String> targets = RepositoryFiles.map(
                        RepositoryFiles.yaml("deploy/docker/bases/compose.yml").get("services"))
                .keySet();
        assertThat(RepositoryFiles.text("deploy/docker/bases/Dockerfile").lines())
                .filteredOn(line -> line.startsWith("FROM "))
                .extracting(line -> line.substring(line.lastIndexOf(' ') + 1))
                .containsExactlyInAnyOrderElementsOf(targets);
        Stream.concat(images(), builtFrom().stream())
                .filter(image -> !image.startsWith("tailrace/") && !image.startsWith("grafana/"))
                .map(image -> image.substring(0, image.indexOf(':')))
                .forEach(image -> assertThat(script).contains("$(tag " + image + ")"));
    }

    private static Stream<String> images() {
        return services(COMPOSE).values().stream()
                .map(service -> String.valueOf(RepositoryFiles.map(service).get("image")));
    }
}
