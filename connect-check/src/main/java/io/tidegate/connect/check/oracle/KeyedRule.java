package io.tidegate.connect.check.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.check.oracle.Difference.Kind;
import io.tidegate.connect.check.oracle.Oracle.Read;
import io.tidegate.connect.check.oracle.Promises.Delivery;
import io.tidegate.connect.check.oracle.Promises.Newer;
import io.tidegate.connect.check.oracle.Promises.Writing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Records change the row with their identity. If several partitions have records of one identity, any of them may come last:
 * then there are several states that the row may have.
 */
final class KeyedRule {
    private static final int MOST_PARTITIONS = 4;

    private final Promises promises;
    private final boolean isAnyOrder;

    /** @param overlapped whether two tasks may have written at the same time: where order decides, any may come last */
    KeyedRule(Promises promises, boolean overlapped) {
        this.promises = promises;
        boolean isOrderLost = promises.newer() == Newer.BY_ORDER
                || (promises.deletes() // of what was deleted, no row says how new it was
                        && (promises.newer() == Newer.BY_POSITION_OF_ROW
                                || promises.newer() == Newer.BY_OFFSET_OF_PARTITION));
        this.isAnyOrder = overlapped && promises.delivery() == Delivery.AT_LEAST_ONCE && isOrderLost;
    }

    /**
     * A row.
     *
     * @param document empty if the row does not exist
     * @param from the record that wrote or deleted it last
     */
    private record State(Optional<JsonNode> document, Optional<LoggedRecord> from) {
        static final State NONE = new State(Optional.empty(), Optional.empty());

        String text() {
            return document.map(Canonical::text).orElse("(none)");
        }
    }

    List<Difference> compare(List<List<Read>> passes, List<Boolean> emptied, List<StoredItem> items) {
        Map<String, Set<State>> possible = new LinkedHashMap<>();
        for (int i = 0; i < passes.size(); i++) {
            if (emptied.get(i)) {
                possible.clear();
            }
            if (isAnyOrder) {
                byIdentity(passes.get(i))
                        .forEach((id, partitions) -> partitions.values().forEach(changes -> possible.computeIfAbsent(
                                        id, any -> new LinkedHashSet<>())
                                .addAll(single(changes))));
                continue;
            }
            byIdentity(passes.get(i))
                    .forEach((id, partitions) -> possible.merge(
                            id,
                            after(possible.getOrDefault(id, Set.of(State.NONE)), List.copyOf(partitions.values())),
                            (before, after) -> after));
        }
        Map<String, List<StoredItem>> found = items.stream()
                .collect(Collectors.groupingBy(
                        item -> item.destination() + " " + item.id().orElse("(no id)"),
                        LinkedHashMap::new,
                        Collectors.toList()));
        List<Difference> differences = new ArrayList<>();
        possible.forEach((id, states) ->
                compare(id, states, found.getOrDefault(id, List.of())).ifPresent(differences::add));
        found.forEach((id, rows) -> {
            if (!possible.containsKey(id)) {
                differences.add(new Difference(Kind.UNEXPLAINED, "no record explains " + rows.get(0)));
            }
        });
        return differences;
    }

    private Optional<Difference> compare(String id, Set<State> states, List<StoredItem> rows) {
        String wanted = states.stream()
                .map(State::text)
                .distinct()
                .map(Texts::shortened)
                .collect(Collectors.joining(" or "));
        String last = states.stream()
                .flatMap(state -> state.from().stream())
                .map(LoggedRecord::coordinates)
                .distinct()
                .collect(Collectors.joining(", "));
        boolean mayBeMissing =
                states.stream().anyMatch(state -> state.document().isEmpty());
        if (rows.isEmpty()) {
            return mayBeMissing
                    ? Optional.empty()
                    : Optional.of(new Difference(
                            Kind.LOST, "%s is missing, must be %s (last: %s)".formatted(id, wanted, last)));
        }
        if (rows.size() > 1) {
            return Optional.of(new Difference(Kind.DOUBLED, id + " is stored " + rows.size() + " times"));
        }
        String text = Canonical.text(rows.get(0).document());
        if (isAnyOrder && isMerging()) {
            return Optional.empty();
        }
        List<State> equal =
                states.stream().filter(state -> state.text().equals(text)).toList();
        if (!equal.isEmpty()) {
            return place(id, equal, rows.get(0));
        }
        Kind kind = states.stream().allMatch(state -> state.document().isEmpty()) ? Kind.NOT_DELETED : Kind.WRONG;
        return Optional.of(new Difference(
                kind, "%s is %s, must be %s (last: %s)".formatted(id, Texts.shortened(text), wanted, last)));
    }

    /** Whether a row with the right contents has the coordinates of another record. */
    private Optional<Difference> place(String id, List<State> states, StoredItem row) {
        if (isAnyOrder || !promises.placed() || row.coordinates().isEmpty()) {
            return Optional.empty();
        }
        String place = row.coordinates().get();
        List<String> places = states.stream()
                .flatMap(state -> state.from().stream())
                .map(LoggedRecord::coordinates)
                .distinct()
                .toList();
        return places.contains(place)
                ? Optional.empty()
                : Optional.of(new Difference(
                        Kind.WRONG, "%s has the coordinates %s, must have %s".formatted(id, place, places)));
    }

    /** The changes of each identity, by partition. */
    private static Map<String, Map<String, List<Read>>> byIdentity(List<Read> pass) {
        Map<String, Map<String, List<Read>>> changes = new LinkedHashMap<>();
        for (Read one : pass) {
            Optional<String> id = one.meaning() instanceof Meaning.Refuse
                    ? Optional.empty()
                    : one.meaning().identity();
            if (id.isPresent()) {
                changes.computeIfAbsent(id.get(), any -> new LinkedHashMap<>())
                        .computeIfAbsent(one.record().log(), any -> new ArrayList<>())
                        .add(one);
            }
        }
        return changes;
    }

    private Set<State> after(Set<State> before, List<List<Read>> partitions) {
        if (partitions.size() > MOST_PARTITIONS) {
            throw new IllegalArgumentException("A key in " + partitions.size() + " partitions has too many orders");
        }
        Set<State> after = new LinkedHashSet<>();
        for (List<List<Read>> order : orders(partitions)) {
            for (State start : before) {
                State state = start;
                for (List<Read> partition : order) {
                    for (Read one : partition) {
                        state = changed(state, one);
                    }
                }
                after.add(state);
            }
        }
        return after;
    }

    /** What the row is if only one of the changes is made. */
    private List<State> single(List<Read> changes) {
        return changes.stream().map(one -> changed(State.NONE, one)).toList();
    }

    private static List<List<List<Read>>> orders(List<List<Read>> partitions) {
        if (partitions.size() <= 1) {
            return List.of(partitions);
        }
        List<List<List<Read>>> orders = new ArrayList<>();
        for (int first = 0; first < partitions.size(); first++) {
            List<List<Read>> others = new ArrayList<>(partitions);
            List<Read> one = others.remove(first);
            for (List<List<Read>> rest : orders(others)) {
                List<List<Read>> order = new ArrayList<>(List.of(one));
                order.addAll(rest);
                orders.add(order);
            }
        }
        return orders;
    }

    private State changed(State state, Read one) {
        if (isOlder(state, one)) {
            return state;
        }
        if (!(one.meaning() instanceof Meaning.Write write)) {
            return new State(Optional.empty(), Optional.of(one.record()));
        }
        if (promises.writing() == Writing.KEEP && state.document().isPresent()) {
            return state;
        }
        JsonNode document = merged(state.document(), write.document());
        return new State(
                Optional.of(promises.reading().nullsAreMissing() ? StoredItem.withoutNulls(document) : document),
                Optional.of(one.record()));
    }

    private boolean isOlder(State state, Read one) {
        if (state.from().isEmpty() || promises.newer() == Newer.BY_ORDER) {
            return false;
        }
        LoggedRecord from = state.from().get();
        return switch (promises.newer()) {
            case BY_ORDER -> false;
            case BY_OFFSET_OF_PARTITION ->
                state.document().isPresent()
                        && from.log().equals(one.record().log())
                        && one.record().offset() < from.offset();
            case BY_OFFSET -> one.record().offset() <= from.offset();
            case BY_POSITION_OF_ROW ->
                state.document().isPresent() && Reader.position(one.record()) < Reader.position(from);
            case BY_POSITION -> Reader.position(one.record()) < Reader.position(from);
            case BY_VERSION ->
                one.meaning() instanceof Meaning.Write write
                        && state.document().isPresent()
                        && version(write.document()) < version(state.document().get());
        };
    }

    private boolean isMerging() {
        return promises.writing() == Writing.MERGE || promises.writing() == Writing.MERGE_DEEP;
    }

    private static long version(JsonNode document) {
        return document.path("version").asLong(Long.MIN_VALUE);
    }

    private JsonNode merged(Optional<JsonNode> old, JsonNode update) {
        if (!isMerging() || old.isEmpty() || !old.get().isObject() || !update.isObject()) {
            return update;
        }
        return merged((ObjectNode) old.get(), (ObjectNode) update);
    }

    private ObjectNode merged(ObjectNode old, ObjectNode update) {
        ObjectNode merged = old.deepCopy();
        update.properties().forEach(member -> {
            JsonNode before = merged.path(member.getKey());
            boolean deep = promises.writing() == Writing.MERGE_DEEP
                    && before.isObject()
                    && member.getValue().isObject();
            merged.set(
                    member.getKey(),
                    deep ? merged((ObjectNode) before, (ObjectNode) member.getValue()) : member.getValue());
        });
        return merged;
    }
}
