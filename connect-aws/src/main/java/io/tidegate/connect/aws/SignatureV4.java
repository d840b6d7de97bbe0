package io.tidegate.connect.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import io.tidegate.connect.common.credentials.HttpCall;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * AWS's Signature Version 4 of one request at one moment. Source: IAM User Guide, "Create a signed AWS API request". By hand,
 * because the SDK makes tokens for RDS only with the client of RDS, which is larger than all else that the provider needs. Tests
 * compare it with botocore's.
 */
final class SignatureV4 {
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int DATE_LENGTH = 8;
    private static final HexFormat HEX = HexFormat.of();
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private static final String HOST = "host";
    private static final String CONTENT_TYPE = "content-type";

    private final SigningKey key;
    private final String time;
    private final String scope;

    SignatureV4(SigningKey key, Instant at) {
        this.key = requireNonNull(key, "key");
        this.time = TIME.format(at);
        this.scope = date() + "/" + key.region() + "/" + key.service() + "/aws4_request";
    }

    private String date() {
        return time.substring(0, DATE_LENGTH);
    }

    /**
     * The headers that sign a request with its body. OpenSearch Serverless asks for the body's hash as a header, and
     * refuses a signature that covers {@code Content-Length}.
     */
    Map<String, String> headers(HttpCall call) {
        String contentHash = sha256(call.body());
        Map<String, String> added = new LinkedHashMap<>();
        added.put("X-Amz-Date", time);
        added.put("X-Amz-Content-Sha256", contentHash);
        key.token().ifPresent(token -> added.put("X-Amz-Security-Token", token));

        Map<String, String> signed = new TreeMap<>();
        call.headers().forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.equals(HOST) || lower.equals(CONTENT_TYPE)) {
                signed.put(lower, value);
                added.put(name, value); // sent as it is signed
            }
        });
        added.forEach((name, value) -> signed.put(name.toLowerCase(Locale.ROOT), value));

        String request = canonical(call.method(), call.uri(), query(call.uri()), signed, contentHash);
        added.put(
                "Authorization",
                ALGORITHM + " Credential=" + key.accessKeyId() + "/" + scope + ", SignedHeaders=" + names(signed)
                        + ", Signature=" + signature(request));
        return added;
    }

    /** The URL that carries the signature of a request without a body in its query. */
    URI presigned(String method, URI url, Duration valid) {
        Map<String, List<String>> query = query(url);
        query.put("X-Amz-Algorithm", List.of(ALGORITHM));
        query.put("X-Amz-Credential", List.of(key.accessKeyId() + "/" + scope));
        query.put("X-Amz-Date", List.of(time));
        query.put("X-Amz-Expires", List.of(Long.toString(valid.toSeconds())));
        query.put("X-Amz-SignedHeaders", List.of(HOST));
        key.token().ifPresent(token -> query.put("X-Amz-Security-Token", List.of(token)));
        String request =
                canonical(method, url, query, Map.of(HOST, url.getRawAuthority()), sha256(ByteBuffer.allocate(0)));
        return URI.create(url.getScheme() + "://" + url.getRawAuthority() + path(url) + "?" + text(query)
                + "&X-Amz-Signature=" + signature(request));
    }

    private static String canonical(
            String method, URI uri, Map<String, List<String>> query, Map<String, String> headers, String contentHash) {
        String lines = headers.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue().trim().replaceAll(" +", " ") + "\n")
                .collect(joining());
        return String.join("\n", method, encode(path(uri), "/"), text(query), lines, names(headers), contentHash);
    }

    private static String path(URI uri) {
        return uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    }

    private static String names(Map<String, String> headers) {
        return String.join(";", headers.keySet());
    }

    /** The parameters of a URL, decoded, by name. */
    private static Map<String, List<String>> query(URI uri) {
        Map<String, List<String>> parameters = new TreeMap<>();
        if (uri.getRawQuery() == null) {
            return parameters;
        }
        for (String parameter : uri.getRawQuery().split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = URLDecoder.decode(equals < 0 ? parameter : parameter.substring(0, equals), UTF_8);
            String value = equals < 0 ? "" : URLDecoder.decode(parameter.substring(equals + 1), UTF_8);
            parameters.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
        }
        return parameters;
    }

    /** Sorted by the encoded name, and then by the encoded value. */
    private static String text(Map<String, List<String>> query) {
        return query.entrySet().stream()
                .flatMap(parameter ->
                        parameter.getValue().stream().map(value -> encode(parameter.getKey()) + "=" + encode(value)))
                .sorted()
                .collect(joining("&"));
    }

    /** Percent-encodes all but unreserved characters (RFC 3986, 2.3). */
    static String encode(String text) {
        return encode(text, "");
    }

    private static String encode(String text, String alsoAllowed) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte each : text.getBytes(UTF_8)) {
            char character = (char) (each & 0xFF);
            if (UNRESERVED.indexOf(character) >= 0 || alsoAllowed.indexOf(character) >= 0) {
                encoded.append(character);
            } else {
                encoded.append('%').append(HEX.withUpperCase().toHexDigits(each));
            }
        }
        return encoded.toString();
    }

    private String signature(String canonicalRequest) {
        String text =
                String.join("\n", ALGORITHM, time, scope, sha256(ByteBuffer.wrap(canonicalRequest.getBytes(UTF_8))));
        byte[] secret = ("AWS4" + key.secretKey()).getBytes(UTF_8);
        byte[] derived = hmac(hmac(hmac(hmac(secret, date()), key.region()), key.service()), "aws4_request");
        return HEX.formatHex(hmac(derived, text));
    }

    private static byte[] hmac(byte[] secret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, mac.getAlgorithm()));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JVM has it
        }
    }

    private static String sha256(ByteBuffer bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes.duplicate());
            return HEX.formatHex(digest.digest());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JVM has it
        }
    }
}
