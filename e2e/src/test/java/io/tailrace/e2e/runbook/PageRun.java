package io.tailrace.e2e.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.e2e.deploy.MavenClassPath;
import io.tailrace.e2e.deploy.PageCommands;
import io.tailrace.e2e.deploy.RepositoryFiles;
import io.tailrace.local.cluster.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.client.cli.CliFrontend;
import org.awaitility.Awaitility;

/**
 * Types a page's commands as they stand, but for names of places: each is a process of a shell in one folder, where {@code ./tailrace} is
 * Tailrace. A job stays until the page says Ctrl-C. One thread at a time.
 *
 * <pre>{@code
 * run.type(PageCommands.of("docs/how-to/restore.md").in("## Back up"));
 * }</pre>
 */
final class PageRun implements AutoCloseable {
    private static final Duration STARTED_MAX = Duration.ofMinutes(2);
    private static final Duration DONE_MAX = Duration.ofMinutes(2);
    /** Where a job keeps copies of what it wrote, beside the store. */
    static final String SCRATCH = "scratch";

    /** What Flink's settings open to it, env.java.opts.all in deploy/flink/config.yaml. */
    private static final String OPENED =
            "--add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED";

    private static final String JOB = "./tailrace job ";
    private static final String CLUSTER = "./tailrace cluster ";
    private static final String CLUSTER_KAFKA = "127.0.0.1:9092";
    private static final String AUDIT = "./tailrace audit ";
    private static final String SERVICE = " --every-seconds ";
    private static final String MIRROR = "connect-mirror-maker.sh ";
    private static final String MIRROR_ENDS = PageCommands.CTRL_C + " mirror";
    private static final String FLINK = "flink ";
    private static final String FLINK_STOP = FLINK + "stop ";
    /** What pages ask of a cluster; here is one broker. */
    private static final String REPLICAS = "--replication-factor 3";

    private static final String FLINK_SETTINGS = "flink-settings";
    private static final Pattern TAKEN = Pattern.compile("Savepoint completed. Path: (\\S+)");
    private static final Pattern DASHBOARD = Pattern.compile("Dashboard: (http://[^\\s/]+)");
    private static final Pattern JOB_ID = Pattern.compile("\"id\":\"([0-9a-f]{32})\"");
    private static final Pattern PARALLELISM = Pattern.compile("\"parallelism\":(\\d+)");
    private static final Pattern SAVEPOINT = Pattern.compile("Savepoint: (\\S+)");

    private final Path folder;
    private final Map<String, String> places;
    private final List<Process> jobs = new ArrayList<>();
    private final List<Process> services = new ArrayList<>();
    private Process mirror;
    private final StringBuilder transcript = new StringBuilder();
    private String savepoint = "/none";
    private String cluster;

    /**
     * Nothing runs yet.
     *
     * @param places what stands here for a name in the page; more may come
     */
    PageRun(Path folder, Map<String, String> places) throws IOException {
        this.folder = folder;
        this.places = places;
        Files.createDirectories(folder.resolve(SCRATCH));
        command("tailrace", """
                -Xmx1g %s \
                -Dtailrace.home=. -Djava.io.tmpdir=%s -cp "%s" io.tailrace.cli.Tailrace\
                """.formatted(OPENED, folder.resolve(SCRATCH), System.getProperty("java.class.path")));
    }

    /** Kafka's MirrorMaker is there from now on, which Maven fetches; so is its file, with names of places as they are here. */
    void mirrors(String properties) throws IOException, InterruptedException {
        command(
                "connect-mirror-maker.sh",
                "-Xmx384m -cp \"%s\" org.apache.kafka.connect.mirror.MirrorMaker"
                        .formatted(MavenClassPath.of("e2e/src/test/mirror-maker/pom.xml", folder)));
        Path here = folder.resolve(properties);
        Files.createDirectories(here.getParent());
        Files.writeString(
                here, here(RepositoryFiles.text(properties)).replaceAll("(replication\\.factor) = 3", "$1 = 1"));
    }

    /** A program of others is there from now on, by that name. */
    void program(String name, Class<?> main) throws IOException {
        program(name, main, System.getProperty("java.class.path"));
    }

    private void program(String name, Class<?> main, String classPath) throws IOException {
        command(name, "-Xmx256m %s -cp \"%s\" %s".formatted(OPENED, classPath, main.getName()));
    }

    /** Flink's own command is there from now on, and knows where the job is that runs. */
    void flink() throws IOException {
        flink(System.getProperty("java.class.path"));
    }

    private void flink(String classPath) throws IOException {
        Files.createDirectories(folder.resolve(FLINK_SETTINGS));
        program("flink", CliFrontend.class, classPath);
    }

    /** The same of a Flink cluster that no page starts, at this address; waits until it answers. */
    void flink(String address, String classPath) throws IOException {
        cluster = address;
        flink(classPath);
        awaitOk("Flink", address + "/overview");
    }

    private void command(String name, String java) throws IOException {
        Path command = folder.resolve(name);
        Files.writeString(
                command,
                "#!/bin/sh\nexec \"%s\" %s \"$@\"\n"
                        .formatted(Path.of(System.getProperty("java.home"), "bin", "java"), java));
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
    }

    /** All commands of a page or of one of its sections; each has to end well, an audit after a while. */
    void type(PageCommands page) throws IOException, InterruptedException {
        assertThat(page.commands()).isNotEmpty();
        for (String command : page.commands()) {
            type(command);
        }
    }

    void type(String command) throws IOException, InterruptedException {
        long from = System.nanoTime();
        String here = here(command);
        typeHere(command, here);
        System.out.printf("typed, %.1f s: %s%n", (System.nanoTime() - from) / 1e9, here);
    }

    private void typeHere(String command, String here) throws IOException, InterruptedException {
        if (command.equals(PageCommands.CTRL_C)) {
            stopJob();
        } else if (command.equals(MIRROR_ENDS)) {
            stopMirror();
        } else if (command.startsWith(MIRROR)) {
            mirror = start("./" + here, folder.resolve("mirror"));
        } else if (here.startsWith(JOB)) {
            startJob(here);
        } else if (here.startsWith(CLUSTER)) {
            startCluster(here);
        } else if (here.startsWith(FLINK_STOP)) {
            stopJobByFlink(here);
        } else if (here.contains(SERVICE)) {
            serve(here);
        } else if (here.startsWith(AUDIT)) {
            Awaitility.await(here)
                    .atMost(DONE_MAX)
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(exit(here)).as(said()).isZero());
        } else {
            assertThat(exit(here)).as("%s: %s", here, said()).isZero();
        }
    }

    /** The exit code of a command that may fail. */
    int exitOf(String command) throws IOException, InterruptedException {
        return exit(here(command));
    }

    private String here(String command) throws IOException, InterruptedException {
        String here = command.replace("SAVEPOINT", savepoint)
                .replace("JOB_ID", command.startsWith(FLINK_STOP) ? jobId() : "JOB_ID")
                .replace(
                        "/NAME",
                        savepoint.substring(savepoint.replaceAll("/$", "").lastIndexOf('/')))
                .replace(REPLICAS, REPLICAS.replace('3', '1'));
        for (Map.Entry<String, String> place : places.entrySet()) {
            here = here.replace(place.getKey(), place.getValue());
        }
        return here;
    }

    private int exit(String command) throws IOException, InterruptedException {
        Process process = start(command, folder.resolve("said"));
        if (!process.waitFor(DONE_MAX.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(command + " does not end: " + said());
        }
        transcript.append("$ ").append(command).append('\n').append(said());
        return process.exitValue();
    }

    private Process start(String command, Path output) throws IOException {
        ProcessBuilder shell = new ProcessBuilder(
                        "sh", "-c", command.startsWith("./") ? "exec " + command : "PATH=.:$PATH; " + command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        if (command.startsWith(FLINK)) {
            Path settings = folder.resolve(FLINK_SETTINGS);
            URI address = URI.create(dashboard());
            Files.writeString(
                    settings.resolve("config.yaml"),
                    "rest.address: %s%nrest.port: %d%n".formatted(address.getHost(), address.getPort()));
            shell.environment().put("FLINK_CONF_DIR", settings.toString());
        }
        return shell.start();
    }

    /** All commands that have ended, each with what it said. */
    String transcript() {
        return transcript.toString();
    }

    /** A service that stays until {@link #endKept}; the address where it answers operators. */
    String keep(String command) throws IOException, InterruptedException {
        int port = Ports.free(1)[0];
        services.add(start(here(command) + " --port " + port, folder.resolve("service-" + services.size())));
        return awaitAnswer(command, port, "/health/live");
    }

    /** Ends those that stayed. */
    void endKept() throws InterruptedException {
        for (Process service : services) {
            service.destroy();
            assertThat(service.waitFor(DONE_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        services.clear();
    }

    private static String awaitAnswer(String command, int port, String path) {
        String address = "http://127.0.0.1:" + port;
        awaitOk(command, address + path);
        return address;
    }

    private static void awaitOk(String what, String uri) {
        Awaitility.await(what)
                .atMost(STARTED_MAX)
                .ignoreExceptions()
                .until(() -> answer(uri).statusCode() == HttpURLConnection.HTTP_OK);
    }

    /** A service of a page has nothing more to do here than to get ready. */
    private void serve(String command) throws IOException, InterruptedException {
        int port = Ports.free(1)[0];
        Process service = start(command + " --port " + port, folder.resolve("said"));
        try {
            awaitAnswer(command, port, "/health/ready");
        } finally {
            service.destroy();
            assertThat(service.waitFor(DONE_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    private String said() {
        return text(folder.resolve("said"));
    }

    private void startJob(String command) throws IOException {
        startJob(command + " --port 0", "Dashboard:");
    }

    /** Its broker has another port than the page's, and Flink's settings are the repository's. */
    private void startCluster(String command) throws IOException {
        Path deploy = folder.resolve("deploy");
        if (!Files.exists(deploy)) {
            Files.createSymbolicLink(deploy, RepositoryFiles.root().resolve("deploy"));
        }
        int[] ports = Ports.free(2);
        places.put(CLUSTER_KAFKA, "127.0.0.1:" + ports[0]);
        startJob("%s --kafka-port %d --port %d".formatted(command, ports[0], ports[1]), "the job runs");
    }

    private void startJob(String command, String ready) throws IOException {
        Process job = start(command, folder.resolve("job-" + jobs.size()));
        jobs.add(job);
        Awaitility.await(command)
                .atMost(STARTED_MAX)
                .failFast(() -> {
                    if (!job.isAlive()) {
                        throw new AssertionError("the job has ended: " + jobSaid());
                    }
                })
                .until(() -> jobSaid().contains(ready));
    }

    /** Tasks side by side of the widest operator of the job that runs, as its dashboard tells. */
    int parallelism() throws IOException, InterruptedException {
        return PARALLELISM
                .matcher(asked(dashboard() + "/jobs/" + jobId()))
                .results()
                .mapToInt(vertex -> Integer.parseInt(vertex.group(1)))
                .max()
                .orElseThrow();
    }

    private String jobId() throws IOException, InterruptedException {
        return first(JOB_ID, asked(dashboard() + "/jobs"));
    }

    /** Address of the dashboard of the job that runs. */
    String dashboard() {
        return cluster == null ? first(DASHBOARD, jobSaid()) : cluster;
    }

    private static String asked(String uri) throws IOException, InterruptedException {
        return answer(uri).body();
    }

    private static HttpResponse<String> answer(String uri) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return found.group(1);
    }

    private String jobSaid() {
        return text(folder.resolve("job-" + (jobs.size() - 1)));
    }

    /** Ctrl-C and what ends a service do the same. */
    private void stopJob() throws InterruptedException {
        job().destroy();
        assertThat(job().waitFor(DONE_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        savepoint = SAVEPOINT
                .matcher(jobSaid())
                .results()
                .map((MatchResult said) -> said.group(1))
                .reduce((first, second) -> second)
                .orElseThrow(() -> new AssertionError("no savepoint: " + jobSaid()));
    }

    private void stopJobByFlink(String command) throws IOException, InterruptedException {
        assertThat(exit(command)).as("%s: %s", command, said()).isZero();
        savepoint = first(TAKEN, said());
        if (cluster != null) {
            return; // which has no process of the job's alone
        }
        assertThat(job().waitFor(DONE_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private void stopMirror() throws InterruptedException {
        mirror.destroy();
        assertThat(mirror.waitFor(DONE_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** As a machine that is gone. */
    void killJob() throws InterruptedException {
        job().destroyForcibly();
        assertThat(job().waitFor(DONE_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private Process job() {
        return jobs.get(jobs.size() - 1);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        jobs.forEach(PageRun::end);
        services.forEach(PageRun::end);
        if (mirror != null) {
            end(mirror);
        }
    }

    /** With what it has started: a cluster's processes would outlive it. */
    private static void end(Process process) {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
    }
}
