package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.settings.Aliases;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.settings.ValidationSettings;
import io.tidegate.connect.common.spi.RecordIdentity;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.TargetType;
import io.tidegate.connect.common.spi.WriteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;

/** A kind of server with the shared settings only, whose target and problems the test brings. */
public final class FakeTargetType implements TargetType {
    private final Target target;
    private List<Problem> problems = List.of();
    private Optional<ServerCheck> serverCheck = Optional.empty();
    private final List<Map<String, String>> openedWith = new ArrayList<>();

    public FakeTargetType(Target target) {
        this.target = target;
    }

    /** From now on the settings together have these problems. */
    public void setProblems(List<Problem> problems) {
        this.problems = problems;
    }

    /** From now on the server is asked in this way. */
    public void setServerCheck(ServerCheck check) {
        this.serverCheck = Optional.of(check);
    }

    /** How often a target was opened. */
    public int opened() {
        return openedWith.size();
    }

    /** The settings with which each was opened. */
    public List<Map<String, String>> openedWith() {
        return List.copyOf(openedWith);
    }

    @Override
    public String version() {
        return "1.2.3";
    }

    @Override
    public RecordIdentity identity(Map<String, String> props) {
        return RecordIdentity.NONE;
    }

    @Override
    public ConfigDef config() {
        ConfigDef def = new ConfigDef();
        LaneSettings.define(def, new LaneSettings.Defaults(500, 1 << 20, 2));
        RetrySettings.define(def);
        ValidationSettings.define(def);
        return TaskSettings.define(def);
    }

    @Override
    public Aliases aliases() {
        return new Aliases(Map.of("their.name.of.batch.size", "batch.size"));
    }

    @Override
    public List<Problem> validate(Map<String, String> props) {
        return problems;
    }

    @Override
    public Optional<ServerCheck> serverCheck(Map<String, String> props) {
        return serverCheck;
    }

    @Override
    public boolean isAccessRefused(WriteException failure) {
        return failure.getMessage().contains("password");
    }

    @Override
    public Target open(Map<String, String> props) {
        openedWith.add(props);
        return target;
    }
}
