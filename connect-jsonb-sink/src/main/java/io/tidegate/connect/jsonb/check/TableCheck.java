package io.tidegate.connect.jsonb.check;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.ServerCheck.Finding;
import io.tidegate.connect.jsonb.check.CatalogTable.CatalogColumn;
import io.tidegate.connect.jsonb.check.CatalogTable.UniqueIndex;
import io.tidegate.connect.jsonb.check.RequiredTable.NeededColumn;
import io.tidegate.connect.jsonb.check.RequiredTable.Privilege;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.TableSettings;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks whether a table is as a connector needs it. Pure: the caller has asked the server. */
final class TableCheck {
    /** Most names of columns or indexes in a message. */
    private static final int MOST_NAMES = 20;

    private final RequiredTable needed;
    private final String role;

    /**
     * Checks one table.
     *
     * @param role the connector's role on the server
     */
    TableCheck(RequiredTable needed, String role) {
        this.needed = requireNonNull(needed, "needed");
        this.role = requireNonNull(role, "role");
    }

    /**
     * The finding if there is no such table.
     *
     * @param searchPath the schemas in which the server looks
     */
    Finding missing(String searchPath) {
        return Finding.wrong(
                needed.setting(),
                "there is no table " + needed.described() + " that role " + role + " can see (search_path is "
                        + searchPath + ")"
                        + needed.creation()
                                .map(ddl -> ". Create it with: " + ddl)
                                .orElse(""));
    }

    /** The finding if the connector has to create the table but its role may not. */
    Finding notToBeMade() {
        return Finding.wrong(
                ConnectionSettings.USER,
                "there is no table " + needed.described() + ", and role " + role
                        + " may not create it as " + TableSettings.AUTO_CREATE
                        + " says. Grant it CREATE on the schema, or create it with another role"
                        + needed.creation().map(ddl -> ": " + ddl).orElse(""));
    }

    /** The finding if the server refuses to look the table up. */
    Finding outOfReach(String said) {
        return Finding.wrong(
                ConnectionSettings.USER,
                needed.described() + " is out of reach of role " + role + ": " + said
                        + ". Grant it USAGE on the schema");
    }

    /** What is wrong with the table; empty if rows can be written. */
    List<Finding> findings(CatalogTable table) {
        if (!table.isTable()) {
            return List.of(
                    Finding.wrong(needed.setting(), needed.described() + " is nothing that rows can be inserted into"));
        }
        List<Finding> findings = new ArrayList<>();
        needed.columns().forEach(column -> checkColumn(column, table, findings));
        checkRequired(table, findings);
        if (findings.isEmpty()) {
            checkPrivileges(table, findings);
            checkKey(table, findings);
        }
        return findings;
    }

    private void checkColumn(NeededColumn column, CatalogTable table, List<Finding> findings) {
        CatalogColumn found = table.columns().get(column.name());
        if (found == null) {
            findings.add(Finding.wrong(
                    column.setting(),
                    needed.described() + " has no column " + column.name() + "; it has "
                            + names(table.columns().keySet().stream().sorted()) + ". Name another one, or add it with: "
                            + "ALTER TABLE " + needed.sql() + " ADD COLUMN " + TableName.quote(column.name()) + ' '
                            + column.proposed()));
        } else if (!column.types().isEmpty() && !column.types().contains(found.type())) {
            findings.add(Finding.wrong(
                    column.setting(),
                    "column " + column.name() + " of " + needed.described() + " is of type " + found.type()
                            + "; it has to be " + column.proposed() + alternatives(column)));
        } else if (TableShape.cuts(found.type())) {
            findings.add(Finding.wrong(
                    column.setting(),
                    "column " + column.name() + " of " + needed.described() + " is of type " + found.type()
                            + ", which silently truncates longer values; make it text"));
        } else if (found.isGenerated()) {
            findings.add(Finding.wrong(
                    column.setting(),
                    "column " + column.name() + " of " + needed.described()
                            + " is generated by the server and cannot be written"));
        }
    }

    private static String alternatives(NeededColumn column) {
        String others = column.types().stream()
                .filter(type -> !type.equals(column.proposed()))
                .sorted()
                .collect(Collectors.joining(", "));
        return others.isEmpty() ? "" : " (" + others + " will do)";
    }

    private void checkRequired(CatalogTable table, List<Finding> findings) {
        if (table.fillsColumns()) {
            return;
        }
        Set<String> written = needed.columns().stream().map(NeededColumn::name).collect(Collectors.toSet());
        String left = names(table.columns().entrySet().stream()
                .filter(column -> column.getValue().isRequired() && !written.contains(column.getKey()))
                .map(Map.Entry::getKey)
                .sorted());
        if (!left.isEmpty()) {
            findings.add(Finding.wrong(
                    needed.setting(),
                    needed.described() + " takes no row without " + left
                            + ": NOT NULL, without a default, and not written by this connector. Give it a default"));
        }
    }

    private void checkPrivileges(CatalogTable table, List<Finding> findings) {
        Set<Privilege> lacking = EnumSet.noneOf(Privilege.class);
        for (Privilege privilege : needed.privileges()) {
            boolean granted = privilege == Privilege.DELETE
                    ? table.mayDelete()
                    : columnsFor(privilege)
                            .allMatch(column ->
                                    table.columns().get(column).privileges().contains(privilege));
            if (!granted) {
                lacking.add(privilege);
            }
        }
        if (!lacking.isEmpty()) {
            String list = lacking.stream().map(Privilege::name).collect(Collectors.joining(", "));
            findings.add(Finding.wrong(
                    ConnectionSettings.USER,
                    "role " + role + " lacks the privilege to " + list.toLowerCase(Locale.ROOT) + " on "
                            + needed.described() + ". Grant it with: GRANT " + list + " ON " + needed.sql() + " TO "
                            + TableName.quote(role)));
        }
    }

    /** Every column is inserted, some are read, and all but the key's are updated. */
    private Stream<String> columnsFor(Privilege privilege) {
        return needed.columns().stream().map(NeededColumn::name).filter(column -> switch (privilege) {
            case INSERT, DELETE -> true;
            case SELECT -> needed.read().contains(column);
            case UPDATE -> !needed.key().contains(column);
        });
    }

    private void checkKey(CatalogTable table, List<Finding> findings) {
        if (needed.key().isEmpty() || !table.isIndexed()) {
            return;
        }
        boolean fits = table.uniqueIndexes().stream()
                .anyMatch(index -> index.flaw().isEmpty() && index.columns().equals(Set.copyOf(needed.key())));
        if (!fits) {
            String key = needed.key().stream().map(TableName::quote).collect(Collectors.joining(", "));
            findings.add(Finding.wrong(
                    needed.keySetting(),
                    needed.described() + " has no unique index on exactly (" + key + ")" + nearMisses(table)
                            + ". Create it with: CREATE UNIQUE INDEX ON " + needed.sql() + " (" + key + ")"));
        }
    }

    private static String nearMisses(CatalogTable table) {
        String indexes = names(table.uniqueIndexes().stream().map(TableCheck::describe));
        return indexes.isEmpty() ? "" : ", which ON CONFLICT needs; it has " + indexes;
    }

    private static String describe(UniqueIndex index) {
        return index.name() + " ("
                + String.join(", ", index.columns().stream().sorted().toList()) + ")"
                + index.flaw().map(flaw -> ", which " + flaw).orElse("");
    }

    private static String names(Stream<String> names) {
        List<String> all = names.toList();
        return String.join(", ", all.subList(0, Math.min(MOST_NAMES, all.size())))
                + (all.size() > MOST_NAMES ? " and " + (all.size() - MOST_NAMES) + " more" : "");
    }
}
