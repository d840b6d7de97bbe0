package io.tidegate.connect.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Sends OpenSearch's bulk requests over gRPC, with ids from coordinates or automatic ids. It writes the messages itself,
 * because the classes of {@code org.opensearch:protobufs} need a newer JDK than this program. The numbers of the fields are
 * those of version 1.6.0.
 */
public record GrpcBulk(int port, RawRecords records, boolean automaticIds) implements RawWriter {
    private static final MethodDescriptor<byte[], byte[]> BULK = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("org.opensearch.protobufs.services.DocumentService/Bulk")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private static final int INDEX = 1;
    private static final int BODY = 12;
    private static final int OPERATION = 1;
    private static final int OPERATION_INDEX = 1;
    private static final int OPERATION_ID = 1;
    private static final int DOCUMENT = 3;

    @Override
    public String label() {
        return "gRPC bulk" + (automaticIds ? ", automatic ids" : "");
    }

    private byte[] request(long from, int rows) {
        Message request = new Message().add(INDEX, RawBulk.INDEX.getBytes(UTF_8));
        for (long number = from; number < from + rows; number++) {
            Message operation = new Message();
            if (!automaticIds) {
                operation.add(OPERATION_ID, RawBulk.coordinates(number).getBytes(UTF_8));
            }
            Message container = new Message().add(OPERATION_INDEX, operation.toByteArray());
            Message body = new Message().add(OPERATION, container.toByteArray()).add(DOCUMENT, records.value(number));
            request.add(BODY, body.toByteArray());
        }
        return request.toByteArray();
    }

    @Override
    public Session open() {
        ManagedChannel channel = ManagedChannelBuilder.forAddress("localhost", port)
                .usePlaintext()
                .build();
        return new Session() {
            @Override
            public void write(long from, int rows) throws Exception {
                byte[] response =
                        ClientCalls.blockingUnaryCall(channel, BULK, CallOptions.DEFAULT, request(from, rows));
                if (hasErrors(response)) {
                    throw new IOException("gRPC bulk: " + new String(response, UTF_8));
                }
            }

            @Override
            public void close() {
                channel.shutdownNow();
            }
        };
    }

    /** The first field of the response is true. A false one may be missing. */
    private static boolean hasErrors(byte[] response) {
        return response.length > 1 && response[0] == 1 << 3 && response[1] == 1;
    }

    /** A message with fields of bytes, as "Encoding" in the manual of Protocol Buffers describes it. */
    private static final class Message extends ByteArrayOutputStream {
        private static final int LENGTH_DELIMITED = 2;
        private static final int SEVEN_BITS = 0x7f;

        Message add(int field, byte[] bytes) {
            write((field << 3) | LENGTH_DELIMITED);
            int rest = bytes.length;
            while (rest > SEVEN_BITS) {
                write((rest & SEVEN_BITS) | (SEVEN_BITS + 1));
                rest >>>= 7;
            }
            write(rest);
            writeBytes(bytes);
            return this;
        }
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
