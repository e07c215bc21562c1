package io.tailrace.client.follow.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/**
 * A bucket of S3, or of a store that speaks S3, read with this process's own credentials. Who it is, where the bucket lies and by which endpoint
 * it is reached is found as AWS's SDK finds it: {@code AWS_*} variables, profiles, web identity, the machine's role. With an endpoint of its own
 * ({@code AWS_ENDPOINT_URL_S3}) buckets are addressed by path, and the region does not matter.
 */
final class S3Store implements SegmentStore {
    private static final Duration CONNECT_TIME_MAX = Duration.ofSeconds(5);
    private static final int MOVED = 301;
    private static final int FORBIDDEN = 403;
    private static final int MISSING = 404;

    private final String bucket;
    private final String prefix;
    private final S3Client client;

    /**
     * Nothing is asked of the store yet.
     *
     * @param root {@code s3://bucket/} with, or without, a prefix
     * @param silenceMax a server that sends nothing for so long is given up
     * @throws IllegalArgumentException if it names no bucket, or no region is configured
     */
    S3Store(URI root, Duration downloadTimeMax, Duration silenceMax) {
        bucket = root.getAuthority();
        if (bucket == null
                || !bucket.matches("[A-Za-z0-9._-]+")
                || root.getQuery() != null
                || root.getFragment() != null) {
            throw new IllegalArgumentException("a bucket is named as in s3://bucket/prefix/, got " + root);
        }
        String path = root.getPath().replaceAll("^/+|/+$", "");
        prefix = path.isEmpty() ? "" : path + "/";
        boolean ownEndpoint = ownEndpoint();
        try {
            client = S3Client.builder()
                    .region(region(ownEndpoint))
                    .forcePathStyle(ownEndpoint)
                    .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                    .httpClientBuilder(Apache5HttpClient.builder()
                            .connectionTimeout(CONNECT_TIME_MAX)
                            .socketTimeout(silenceMax))
                    .overrideConfiguration(
                            calls -> calls.apiCallTimeout(downloadTimeMax).addExecutionInterceptor(new ShortErrors()))
                    .build();
        } catch (SdkClientException e) {
            throw new IllegalArgumentException(
                    "%s cannot be read: %s; AWS_REGION says where the bucket lies".formatted(root, e.getMessage()), e);
        }
    }

    private static boolean ownEndpoint() {
        return Stream.of("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL").anyMatch(name -> System.getenv(name) != null)
                || Stream.of("aws.endpointUrlS3", "aws.endpointUrl").anyMatch(name -> System.getProperty(name) != null);
    }

    private static Region region(boolean ownEndpoint) {
        AwsRegionProvider configured = ownEndpoint
                ? new AwsRegionProviderChain(
                        new SystemSettingsRegionProvider(), new AwsProfileRegionProvider(), () -> Region.US_EAST_1)
                : DefaultAwsRegionProviderChain.builder().build();
        return configured.getRegion();
    }

    @Override
    public void download(String path, long sizeBytes, Path target) throws IOException {
        String key = prefix + SegmentStore.checkRelative(path);
        GetObjectRequest asked =
                GetObjectRequest.builder().bucket(bucket).key(key).build();
        try {
            client.getObject(asked, (response, body) -> {
                copy(body, sizeBytes, target);
                return response;
            });
        } catch (AbortedException e) {
            throw (IOException) new InterruptedIOException("download of " + name(key) + " interrupted").initCause(e);
        } catch (ApiCallTimeoutException e) {
            throw new IOException(name(key) + " was not downloaded in time: " + e.getMessage(), e);
        } catch (AwsServiceException e) {
            throw new IOException(
                    "%s: the store answered %d%s".formatted(name(key), e.statusCode(), advice(e.statusCode())), e);
        } catch (SdkException | IllegalArgumentException e) { // the latter: what came is no HTTP
            Throwable cause = e.getCause() instanceof IOException ? e.getCause() : e;
            throw new IOException(
                    name(key) + " cannot be downloaded: "
                            + Objects.requireNonNullElse(cause.getMessage(), cause.toString()),
                    e);
        }
    }

    private static String adviceOfBucket(int status) {
        return switch (status) {
            case MOVED -> "; AWS_REGION names another region than the bucket's";
            case MISSING -> "; there is no such bucket";
            default -> advice(status);
        };
    }

    private static String advice(int status) {
        return status == FORBIDDEN
                ? "; the credentials of this process must allow s3:GetObject and, to tell missing files, s3:ListBucket"
                : "";
    }

    @Override
    public void look() throws IOException {
        try {
            client.headBucket(asked -> asked.bucket(bucket));
        } catch (ApiCallTimeoutException e) {
            throw new IOException("nothing came in time", e);
        } catch (AwsServiceException e) {
            throw new IOException("it answered %d%s".formatted(e.statusCode(), adviceOfBucket(e.statusCode())), e);
        } catch (SdkException | IllegalArgumentException e) {
            throw new IOException(Objects.requireNonNullElse(e.getMessage(), e.toString()), e);
        }
    }

    /** Each try begins anew. */
    private static void copy(InputStream body, long sizeBytes, Path target) throws IOException {
        try (DownloadedFile out = DownloadedFile.open("the object", sizeBytes, target)) {
            out.append(body);
            out.finish();
        }
    }

    private String name(String key) {
        return "s3://" + bucket + "/" + key;
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return name(prefix);
    }
}
