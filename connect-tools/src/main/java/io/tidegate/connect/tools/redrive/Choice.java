package io.tidegate.connect.tools.redrive;

import io.tidegate.connect.tools.records.StartPoint;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which letters a user wants: the options of the commands. All of them must fit. */
final class Choice {
    @Option(
            names = "--kind",
            paramLabel = "KIND",
            split = ",",
            description = "Only letters of these kinds, such as constraint.")
    private List<String> kinds = List.of();

    @Option(
            names = "--where",
            paramLabel = "NAME=VALUE",
            description = "Only letters with this fact or header, such as constraint=positive. All must fit.")
    private Map<String, String> where = Map.of();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = TimeByText.class,
            description = "Only records from this time on, such as 2026-01-31 or 2026-01-31T08:00:00Z.")
    private Optional<Instant> since = Optional.empty();

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = TimeByText.class,
            description = "Only records before this time.")
    private Optional<Instant> until = Optional.empty();

    @Option(names = "--connector", paramLabel = "NAME", description = "Only letters that this connector refused.")
    private Optional<String> connector = Optional.empty();

    Optional<String> connector() {
        return connector;
    }

    /** Whether the letter fits, whichever connector refused it. */
    boolean fits(Letter letter) {
        return (kinds.isEmpty() || kinds.contains(letter.kind()))
                && where.entrySet().stream()
                        .allMatch(fact -> fact.getValue().equals(letter.facts().get(fact.getKey())))
                && since.filter(letter.time()::isBefore).isEmpty()
                && until.filter(time -> !letter.time().isBefore(time)).isEmpty();
    }

    static final class TimeByText implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            try {
                if (StartPoint.parse(text) instanceof StartPoint.AtTime at) {
                    return at.time();
                }
            } catch (IllegalArgumentException e) {
                // the same message
            }
            throw new TypeConversionException(
                    "'" + text + "' is not a time such as 2026-01-31 or 2026-01-31T08:00:00Z");
        }
    }
}
