package io.tailrace.client.follow.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.Abortable;

/**
 * Bounds what is read of a store's refusal: AWS's SDK takes the whole of it into memory, however long it goes on, and a frame of the stack for each of
 * its elements that holds the next.
 */
final class ShortErrors implements ExecutionInterceptor {
    private static final int BYTES_MAX = 1 << 11;

    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        return context.httpResponse().isSuccessful()
                ? context.responseBody()
                : context.responseBody().map(ShortErrors::begin);
    }

    private static InputStream begin(InputStream body) {
        try (body) {
            byte[] begin = body.readNBytes(BYTES_MAX);
            if (body instanceof Abortable rest) {
                rest.abort();
            }
            return new ByteArrayInputStream(begin);
        } catch (IOException e) {
            throw SdkClientException.create("the store's refusal could not be read: " + e.getMessage(), e);
        }
    }
}
