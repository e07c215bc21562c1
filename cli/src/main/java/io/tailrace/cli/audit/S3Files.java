package io.tailrace.cli.audit;

import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FileHash;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The job's store in a bucket, reached as workers reach it: by {@code AWS_*} variables, not by a plug-in of Flink. */
final class S3Files implements DurableStore {
    private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(5);
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

    private final String bucket;
    private final String prefix;
    private final S3Client client;

    /** @param root {@code s3://bucket/} with, or without, a prefix */
    S3Files(URI root) {
        bucket = root.getAuthority();
        String path = root.getPath().replaceAll("^/+|/+$", "");
        prefix = path.isEmpty() ? "" : path + "/";
        boolean ownEndpoint = ownEndpoint();
        client = S3Client.builder()
                .region(region(ownEndpoint))
                .forcePathStyle(ownEndpoint)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .httpClientBuilder(Apache5HttpClient.builder()
                        .connectionTimeout(ANSWER_TIME_MAX)
                        .socketTimeout(SILENCE_MAX))
                .build();
    }

    /**
     * Looks whether the store answers, whatever it says: with five seconds of patience, not with all the tries that a file is worth.
     *
     * @throws IOException if it does not
     */
    void requireReachable() throws IOException {
        try {
            client.headBucket(
                    head -> head.bucket(bucket).overrideConfiguration(call -> call.apiCallTimeout(ANSWER_TIME_MAX)));
        } catch (AwsServiceException e) {
            return; // it answers
        } catch (SdkException | IllegalArgumentException e) { // the latter: what came is no HTTP
            throw new IOException(
                    "%s: the store%s does not answer: %s; start it, or correct --store and AWS_ENDPOINT_URL_S3"
                            .formatted(this, endpoint().map(at -> " at " + at).orElse(""), e.getMessage()),
                    e);
        }
    }

    private static Optional<String> endpoint() {
        return Stream.of(
                        System.getenv("AWS_ENDPOINT_URL_S3"),
                        System.getProperty("aws.endpointUrlS3"),
                        System.getenv("AWS_ENDPOINT_URL"),
                        System.getProperty("aws.endpointUrl"))
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static boolean ownEndpoint() {
        return Stream.of("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL").anyMatch(name -> System.getenv(name) != null)
                || Stream.of("aws.endpointUrlS3", "aws.endpointUrl").anyMatch(name -> System.getProperty(name) != null);
    }

    /** A store with an endpoint of its own does not ask for one, and its machine knows none. */
    private static Region region(boolean ownEndpoint) {
        AwsRegionProvider configured = ownEndpoint
                ? new AwsRegionProviderChain(
                        new SystemSettingsRegionProvider(), new AwsProfileRegionProvider(), () -> Region.US_EAST_1)
                : DefaultAwsRegionProviderChain.builder().build();
        return configured.getRegion();
    }

    @Override
    public List<StoredFile> list(String folder) throws IOException {
        String below = prefix + folder + "/";
        return asked(
                "list " + below,
                () ->
                        client
                                .listObjectsV2Paginator(list ->
                                        list.bucket(bucket).prefix(below).delimiter("/"))
                                .contents()
                                .stream()
                                .map(this::stored)
                                .toList());
    }

    private StoredFile stored(S3Object object) {
        return new StoredFile(
                object.key().substring(prefix.length()),
                object.size(),
                object.lastModified().toEpochMilli());
    }

    @Override
    public void fetch(String path, Path localFile) throws IOException {
        Files.deleteIfExists(localFile);
        try {
            asked(
                    "fetch " + path,
                    () -> client.getObject(get -> get.bucket(bucket).key(prefix + path), localFile));
        } catch (IOException e) {
            if (e.getCause() instanceof NoSuchKeyException) {
                throw (IOException) new FileNotFoundException(e.getMessage()).initCause(e);
            }
            throw e;
        }
    }

    @Override
    public void put(Path localFile, String path, String sha256) throws IOException {
        asked("put " + path, () -> client.putObject(put -> put.bucket(bucket).key(prefix + path), localFile));
        Path back = Files.createTempFile("tailrace-audit", ".back");
        try {
            fetch(path, back);
            if (!FileHash.sha256(back).equals(sha256)) {
                throw new IOException(
                        "%s%s does not read back as %s; the store is not to be trusted".formatted(this, path, sha256));
            }
        } finally {
            Files.deleteIfExists(back);
        }
    }

    @Override
    public void delete(String path) throws IOException {
        asked(
                "delete " + path,
                () -> client.deleteObject(delete -> delete.bucket(bucket).key(prefix + path)));
    }

    private <T> T asked(String what, Supplier<T> call) throws IOException {
        try {
            return call.get();
        } catch (SdkException | IllegalArgumentException e) {
            throw new IOException("%s: cannot %s: %s".formatted(this, what, e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return "s3://" + bucket + "/" + prefix;
    }
}
