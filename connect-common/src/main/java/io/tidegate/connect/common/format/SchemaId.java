package io.tidegate.connect.common.format;

import static java.util.Objects.requireNonNull;

/**
 * The id of a schema, as a frame or a header has it.
 *
 * @param kind which of a registry's ids it is
 */
public record SchemaId(Kind kind, long id) {
    public SchemaId {
        requireNonNull(kind, "kind");
    }

    /** The ids of registries. */
    public enum Kind {
        /**
         * Of 4 bytes: Confluent's id, or one of Apicurio's. Its API for Confluent's clients calls the content id the id. At
         * its own API {@link RegistrySettings#USE_ID} decides.
         */
        SHORT,
        /** Apicurio's global id: of a version. */
        GLOBAL,
        /** Apicurio's content id: of a text, which several versions may have. */
        CONTENT
    }

    /** As the frames' own refusals name it. */
    @Override
    public String toString() {
        return "schema " + id;
    }
}
