package io.tidegate.connect.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}: the program's name, and the version in the manifest of its jar. */
public abstract class ProgramVersion implements IVersionProvider {
    private final String program;

    /** For a subclass that picocli instantiates. */
    protected ProgramVersion(String program) {
        this.program = program;
    }

    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(getClass().getPackage().getImplementationVersion())
                .orElse("(unpackaged)");
        return new String[] {program + " " + version};
    }
}
