package io.tidegate.connect.bench.records;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import java.util.Arrays;
import java.util.Random;

/**
 * Records of one size. A last field fills up the source's JSON object. An object that is too large is replaced by one
 * with a number and a filling. The filling is random, so that it does not compress better than real text.
 */
public final class SizedRecords implements TideSource {
    public static final int SMALLEST = 32;
    private static final byte[] PAD = ",\"pad\":\"".getBytes(ISO_8859_1);
    private static final byte[] END = "\"}".getBytes(ISO_8859_1);
    private static final byte[] LETTERS =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".getBytes(ISO_8859_1);
    private static final int SEED = 20150101;
    private static final int NOISE_BYTES = 1 << 20;

    private final TideSource source;
    private final int bytes;
    private final byte[] noise;

    /**
     * Makes the source's records in another size.
     *
     * @param bytes the size of a value, at least {@link #SMALLEST}
     */
    public SizedRecords(TideSource source, int bytes) {
        this.source = source;
        this.bytes = bytes;
        noise = noise(Math.max(NOISE_BYTES, 2 * bytes));
    }

    private static byte[] noise(int length) {
        Random random = new Random(SEED);
        byte[] noise = new byte[length];
        for (int i = 0; i < length; i++) {
            noise[i] = LETTERS[random.nextInt(LETTERS.length)];
        }
        return noise;
    }

    @Override
    public long stream(long limit, Receiver receiver) throws ToolException, InterruptedException {
        long[] sent = {0};
        return source.stream(limit, (key, value) -> receiver.accept(key, sized(value, sent[0]++)));
    }

    private byte[] sized(byte[] value, long number) {
        byte[] head = value.length + PAD.length + 1 <= bytes
                ? Arrays.copyOf(value, value.length - 1)
                : ("{\"n\":" + number).getBytes(ISO_8859_1);
        byte[] sized = Arrays.copyOf(head, bytes);
        System.arraycopy(PAD, 0, sized, head.length, PAD.length);
        int from = head.length + PAD.length;
        int filling = bytes - END.length - from;
        System.arraycopy(noise, (int) (number * 61 % (noise.length - filling)), sized, from, filling);
        System.arraycopy(END, 0, sized, bytes - END.length, END.length);
        return sized;
    }
}
