package io.tidegate.connect.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/** Standard output for results. A program ends when nobody reads them any more. */
public final class Output extends OutputStream {
    /** The exit status after a broken pipe, as the shell has it for programs that SIGPIPE ends. */
    public static final int BROKEN_PIPE = 141;

    private final OutputStream out;

    private Output(OutputStream out) {
        this.out = requireNonNull(out, "out");
    }

    /** A result could not be written. */
    public static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Failure(IOException cause) {
            super("cannot write to standard output: " + cause.getMessage(), cause);
        }

        /** Whether the program that read the results has ended. */
        boolean isBrokenPipe() {
            return String.valueOf(getCause().getMessage()).contains("Broken pipe");
        }
    }

    /**
     * A writer that throws a {@link Failure} at the first result that cannot be written.
     *
     * @param out is not closed
     */
    public static PrintWriter of(OutputStream out, Charset charset) {
        return new PrintWriter(new OutputStreamWriter(new Output(out), charset), true);
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw new Failure(e);
        }
    }

    @Override
    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw new Failure(e);
        }
    }
}
