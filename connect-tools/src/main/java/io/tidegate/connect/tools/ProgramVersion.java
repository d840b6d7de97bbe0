package io.tidegate.connect.tools;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says: the program's name, and the version in the manifest of its jar. */
public abstract class ProgramVersion implements IVersionProvider {
    private final String program;

    /** For picocli, which makes the subclass. */
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
