package io.tidegate.connect.aws;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.HttpCall;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** AWS's signature of one request at one moment, by the SDK. Tests compare it with botocore's. */
record SignatureV4(AwsCredentialsIdentity who, String region, String service, Instant at) {
    private static final AwsV4HttpSigner SIGNER = AwsV4HttpSigner.create();

    SignatureV4 {
        requireNonNull(who, "who");
        requireNonNull(region, "region");
        requireNonNull(service, "service");
        requireNonNull(at, "at");
    }

    /**
     * The headers that sign a request with its body. OpenSearch Serverless needs the body's hash as a header, and refuses a
     * signature that covers {@code Content-Length}. So the only others that are signed are {@code Host} and {@code
     * Content-Type}.
     */
    Map<String, String> headers(HttpCall call) {
        SdkHttpRequest.Builder request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.fromValue(call.method()))
                .uri(call.uri());
        call.headers().forEach((name, value) -> {
            if (name.equalsIgnoreCase("Host") || name.equalsIgnoreCase("Content-Type")) {
                request.putHeader(name, value);
            }
        });
        Map<String, String> signed = new HashMap<>();
        SIGNER.sign(request(request.build())
                        .payload(() -> new Bytes(call.body().duplicate()))
                        .build())
                .request()
                .forEachHeader((name, values) -> signed.put(name, values.get(0)));
        return signed;
    }

    /** The request as a URL that has its signature in the query. */
    String presigned(SdkHttpRequest request, Duration valid) {
        return SIGNER.sign(request(request)
                        .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                        .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, valid)
                        .build())
                .request()
                .getUri()
                .toString();
    }

    private SignRequest.Builder<AwsCredentialsIdentity> request(SdkHttpRequest request) {
        return SignRequest.builder(who)
                .request(request)
                .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, service)
                .putProperty(AwsV4HttpSigner.SIGNING_CLOCK, Clock.fixed(at, ZoneOffset.UTC));
    }

    /** A body as a stream, without a copy. */
    private static final class Bytes extends InputStream {
        private final ByteBuffer left;

        Bytes(ByteBuffer left) {
            this.left = left;
        }

        @Override
        public int read() {
            return left.hasRemaining() ? left.get() & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int from, int count) {
            int read = Math.min(count, left.remaining());
            left.get(target, from, read);
            return read == 0 && count > 0 ? -1 : read;
        }
    }
}
