package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.LaneState;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** A worker reads what the job published from a store that speaks S3 and checks who asks. */
class S3StoreIT {
    private static final Duration LOADED_MAX = Duration.ofSeconds(60);
    private static final String SCOPE = "alpha";
    private static final String IDENTITY = "reader";
    private static final String SECRET = "a secret of this test";

    @TempDir
    static Path folder;

    @AfterEach
    void forgetTheStore() {
        Stream.of("aws.accessKeyId", "aws.secretAccessKey", "aws.endpointUrlS3", "aws.sharedCredentialsFile")
                .forEach(System::clearProperty);
    }

    @Test
    void aWorkerReadsSegmentsWithItsCredentialsAndNobodyWithout() throws Exception {
        try (LoopUnderLoad loop = LoopUnderLoad.start(LoopUnderLoad.options(folder.resolve("loop"), Fleet.MODEL));
                LoopObserver observer = loop.observe();
                S3Proxy proxy =
                        S3Proxy.start(folder.resolve("proxy"), bucket(loop).getParent(), IDENTITY, SECRET)) {
            Fleet fleet = new Fleet(loop, observer, 3);
            answer(fleet, loop.addWorker("beside"), "answer");

            System.setProperty("aws.endpointUrlS3", proxy.endpoint().toString());
            System.setProperty("aws.accessKeyId", IDENTITY);
            System.setProperty("aws.secretAccessKey", "a guess");
            try (LoadWorker reader = reader(loop)) {
                Awaitility.await("a refused download")
                        .atMost(LOADED_MAX)
                        .until(() -> state(reader).map(LaneState::failures).orElse(0L) > 0);
                assertThat(state(reader).orElseThrow().loadedVersion()).isZero();

                System.setProperty("aws.secretAccessKey", SECRET);
                fleet.awaitLoaded(reader, SCOPE);
            }
            assertThat(statusWithoutCredentials(
                            proxy, bucket(loop).getFileName().toString()))
                    .isEqualTo(403);
        }
    }

    @Test
    @Tag("full")
    void aWorkerFollowsItsCredentialsFileWhenTheStoresSecretIsRotated() throws Exception {
        try (LoopUnderLoad loop = LoopUnderLoad.start(LoopUnderLoad.options(folder.resolve("rotated"), Fleet.MODEL));
                LoopObserver observer = loop.observe();
                S3Proxy proxy = S3Proxy.start(
                        folder.resolve("rotated-proxy"), bucket(loop).getParent(), IDENTITY, SECRET)) {
            Path credentials = folder.resolve("credentials");
            write(credentials, SECRET);
            System.setProperty("aws.endpointUrlS3", proxy.endpoint().toString());
            System.setProperty("aws.sharedCredentialsFile", credentials.toString());
            Fleet fleet = new Fleet(loop, observer, 5);
            LoadWorker beside = loop.addWorker("beside");
            answer(fleet, beside, "before");
            try (LoadWorker reader = reader(loop)) {
                fleet.awaitLoaded(reader, SCOPE);

                proxy.know(IDENTITY, "another secret of this test");
                answer(fleet, beside, "between");
                long failures = state(reader).orElseThrow().failures();
                Awaitility.await("a refused download")
                        .atMost(LOADED_MAX)
                        .until(() -> state(reader).orElseThrow().failures() > failures);
                write(credentials, "another secret of this test");
                fleet.awaitLoaded(reader, SCOPE);
            }
        }
    }

    private static void write(Path credentials, String secret) throws IOException {
        Files.writeString(credentials, """
                [default]
                aws_access_key_id = %s
                aws_secret_access_key = %s
                """.formatted(IDENTITY, secret));
    }

    private static void answer(Fleet fleet, LoadWorker worker, String name) throws Exception {
        for (int i = 0; i < 20; i++) {
            worker.serve(fleet.request(name + "-" + i, SCOPE));
        }
        fleet.awaitSettled();
    }

    /** The job's folder is the bucket. */
    private static Path bucket(LoopUnderLoad loop) {
        return Path.of(loop.loop().store());
    }

    private static LoadWorker reader(LoopUnderLoad loop) throws Exception {
        URI store = URI.create("s3://" + bucket(loop).getFileName() + "/");
        FollowOptions options = FollowOptions.of(store, folder.resolve("cache"))
                .withTrustedKeys(loop.loop().trustedKeys());
        LoadWorker worker = new LoadWorker(LoadWorker.Options.of(
                "reader", Fleet.MODEL, KafkaAccess.of(loop.loop().bootstrap()), options));
        worker.start();
        return worker;
    }

    private static Optional<LaneState> state(LoadWorker worker) {
        return worker.views().stream().map(LoadWorker.LaneView::state).findFirst();
    }

    /** Of an object that the store was given with no word about who may read it, as Flink gives it segments. */
    private static int statusWithoutCredentials(S3Proxy proxy, String bucket) throws Exception {
        try (S3Client writer = S3Client.builder()
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .httpClientBuilder(Apache5HttpClient.builder())
                .build()) {
            writer.putObject(object -> object.bucket(bucket).key("written"), RequestBody.fromString("text"));
            assertThat(writer.getObjectAsBytes(object -> object.bucket(bucket).key("written"))
                            .asUtf8String())
                    .isEqualTo("text");
        }
        URI written = proxy.endpoint().resolve("/" + bucket + "/written");
        HttpRequest asked = HttpRequest.newBuilder(written).build();
        return HttpClient.newHttpClient().send(asked, BodyHandlers.discarding()).statusCode();
    }
}
