package io.tidegate.connect.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Prints an error that the user can fix on standard error, after the program's name and without a stack trace.
 *
 * @param program its name
 * @param prefix of the program's name where it is called
 * @param failed the exit status after an error that is not a wrong option
 */
public record PlainErrors(String program, String prefix, int failed)
        implements IParameterExceptionHandler, IExecutionExceptionHandler {
    /** Those of a script in the root of the checkout, which ends with 1 after an error. */
    public static PlainErrors ofScript(String program) {
        return new PlainErrors(program, "./", 1);
    }

    /** Sets this object as the command line's error handler and returns the command line. */
    public CommandLine of(CommandLine line) {
        return line.setParameterExceptionHandler(this).setExecutionExceptionHandler(this);
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String problem = e.getMessage().lines().findFirst().orElse("invalid option");
        print(command, problem + " (see " + prefix + command.getCommandSpec().qualifiedName() + " --help)");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof ParameterException wrong) {
            return handleParseException(wrong, new String[0]);
        }
        if (e instanceof Output.Failure failure && failure.isBrokenPipe()) {
            return Output.BROKEN_PIPE;
        }
        if (e instanceof InterruptedException) {
            print(command, "stopped");
        } else if (e instanceof ToolException || e instanceof Output.Failure) {
            print(command, e.getMessage());
        } else {
            e.printStackTrace(command.getErr());
        }
        return failed;
    }

    private void print(CommandLine command, String message) {
        PrintWriter err = command.getErr();
        err.println(program + ": " + message);
        err.flush();
    }
}
