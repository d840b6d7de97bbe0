package io.tidegate.connect.elasticsearch.bulk;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.settings.DestinationType;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import io.tidegate.connect.elasticsearch.settings.LogVersion;
import io.tidegate.connect.elasticsearch.settings.VersionSource;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * The body of a bulk request: for each document an action line and its JSON. The buffer is reused from one request to
 * the next. One lane's thread uses it.
 */
public final class BulkBody {
    private static final String CONTENT_TYPE = "application/x-ndjson";

    private static final int FIRST_CAPACITY = 64 << 10;

    /** Most destinations whose action lines are kept, because topics are few. */
    private static final int MAX_CACHED = 1_000;

    private static final byte[] ID = ascii(",\"_id\":\"");
    private static final byte[] END_OF_ACTION = ascii("}}\n");

    private static final byte[] ROUTING = ascii(",\"routing\":\"");
    private static final byte[] PIPELINE = ascii(",\"pipeline\":\"");
    private static final byte[] RETRIES = ascii(",\"retry_on_conflict\":3"); // another writer may change it meanwhile
    private static final byte[] BEFORE_MERGED = ascii("{\"doc\":");
    private static final byte[] AFTER_UPDATE = ascii("}");
    private static final byte[] AFTER_UPSERT = ascii(",\"doc_as_upsert\":true}");

    private static final byte[] TEMPLATES = ascii(",\"dynamic_templates\":{");
    private static final byte[] TEMPLATE = ascii("\":\"" + ElasticsearchFailures.NO_VECTOR_TEMPLATE + '"');
    private static final byte[] NEXT = ascii(",");

    /** A deletion never creates an index. */
    private static final byte[] PROBE = ascii("{\"delete\":{\"_index\":\"tidegate-no-index\",\"_id\":\"0\"}}\n");

    private final DocumentSettings settings;
    private final IndexSettings index;
    private final byte[] version;
    private final Optional<Template> pipeline;
    private final RecordFields fields;
    private final boolean compressed;
    private final ByteBuilder plain = new ByteBuilder(FIRST_CAPACITY);
    private final ByteBuilder gzip;
    private final AddedMembers added;
    private final VectorFields vectorFields;
    private final VectorMembers vectors = new VectorMembers();
    private final Set<Document> withVectors = Collections.newSetFromMap(new IdentityHashMap<>());
    private final ByteBuilder templates = new ByteBuilder(0);
    private final Map<WriteMethod, Map<String, byte[]>> prefixes = new EnumMap<>(WriteMethod.class);

    /** Starts with an empty body for documents whose vectors are sent as they are. */
    public BulkBody(DocumentSettings settings, IndexSettings index, boolean compressed) {
        this(settings, index, compressed, VectorFields.NONE);
    }

    /**
     * Starts with an empty body.
     *
     * @param index where the documents go, and through which pipeline
     * @param vectorFields which vectors are sent as Base64, unless they are merged into documents
     */
    public BulkBody(DocumentSettings settings, IndexSettings index, boolean compressed, VectorFields vectorFields) {
        this.vectorFields = requireNonNull(vectorFields, "vectorFields");
        this.settings = requireNonNull(settings, "settings");
        this.index = requireNonNull(index, "index");
        this.version = ascii(",\"version_type\":\"" + EnumSetting.text(settings.versionType()) + "\",\"version\":");
        this.pipeline = index.pipelineOfRecord();
        Set<JsonPath> paths = new HashSet<>(settings.laneFields());
        pipeline.ifPresent(template -> paths.addAll(template.fields()));
        this.fields = new RecordFields(paths, settings.eventTime());
        this.added = new AddedMembers(settings, index.type(), fields);
        this.compressed = compressed;
        this.gzip = new ByteBuilder(compressed ? FIRST_CAPACITY : 0);
    }

    /** Starts the next body. The previous request must have been answered. */
    public void clear() {
        plain.clear();
        withVectors.clear();
    }

    /** Fills the body with a request that changes nothing on any server: to learn whether bodies arrive as they are sent. */
    public void probe() {
        clear();
        plain.append(PROBE);
    }

    /** Bytes that the buffers take now, whether or not they are in use. */
    int bytesHeld() {
        return plain.array().length + gzip.array().length;
    }

    /** Drops the buffers, because a cancelled request may still be reading them. */
    public void abandon() {
        plain.abandon();
        gzip.abandon();
        withVectors.clear();
    }

    /** Bytes before compression. */
    public int length() {
        return plain.length();
    }

    /** The lines before compression, for a tool that compares them with what the server has. */
    public String text() {
        return new String(plain.array(), 0, plain.length(), StandardCharsets.UTF_8);
    }

    /**
     * Adds a document.
     *
     * @throws RefusedException when its JSON would break the request, or its record lacks a version or a routing value.
     *     The body is then unchanged
     */
    public void add(Document document) {
        int start = plain.length();
        try {
            WriteMethod method = methodOf(document);
            addAction(document, method);
            if (method != WriteMethod.DELETE) {
                int end = plain.length() - END_OF_ACTION.length;
                Set<String> vectorsOfIndex = method.isMerge() ? Set.of() : vectorFields.of(document.destination());
                if (addSource(document, method, vectorsOfIndex)) {
                    withVectors.add(document);
                    putTemplates(vectorsOfIndex);
                    plain.insert(end, templates);
                }
            }
        } catch (RefusedException e) {
            plain.truncate(start);
            throw e;
        }
    }

    /** A document's JSON as it is sent, for a tool. */
    public String sourceOf(Document document) {
        ByteBuilder source = new ByteBuilder(FIRST_CAPACITY);
        added.append(document, source);
        return new String(source.array(), 0, source.length(), StandardCharsets.UTF_8);
    }

    /** The pipeline that a document's record names; empty if records name none. */
    public Optional<String> pipelineOf(Document document) {
        return pipeline.map(template -> filled(template, document, IndexSettings.PIPELINE));
    }

    /** Keeps no document of a request whose answer has been judged. */
    public void forgetDocuments() {
        withVectors.clear();
    }

    /** Whether the body has a document with vectors in Base64. */
    public boolean hasVectorsOf(Document document) {
        return withVectors.contains(document);
    }

    /** Whether names may only be those of aliases. */
    public boolean requiresAlias() {
        return index.type() == DestinationType.ALIAS;
    }

    /** What selects a document's shard, if it is not its id. */
    public Optional<String> routingOf(Document document) {
        return settings.routing().map(template -> filled(template, document, DocumentSettings.ROUTING));
    }

    /** Where the versions of documents come from. */
    public VersionSource versions() {
        return settings.version();
    }

    /**
     * What happens to a document.
     *
     * @throws RefusedException when its record does not say so
     */
    public WriteMethod methodOf(Document document) {
        if (document.isDelete()) {
            return WriteMethod.DELETE;
        }
        WriteMethod method = settings.methodOfRecord().isEmpty() ? settings.writeMethod() : methodOfRecord(document);
        if (document.isPart() && method != WriteMethod.DELETE) {
            method = WriteMethod.UPDATE; // others would create a document without the columns that did not change
        }
        return settings.keepsExisting() ? keepingExisting(method) : method;
    }

    private static WriteMethod keepingExisting(WriteMethod method) {
        return method.onMissing()
                .orElseThrow(() -> RefusedException.of(
                        DocumentMapper.UNGUARDED,
                        "without an external version nothing shows whether the document is newer than this record, whose"
                                + " write method is " + EnumSetting.text(method) + "; see redrive"));
    }

    private WriteMethod methodOfRecord(Document document) {
        String word = filled(settings.methodOfRecord().get(), document, DocumentSettings.WRITE_METHOD);
        WriteMethod method = WriteMethod.ofRecord(word)
                .orElseThrow(() -> new RefusedException("the record's write method is none of index, create, update,"
                        + " upsert and delete; see " + DocumentSettings.WRITE_METHOD));
        if (method.needsSharedId() && !settings.id().isShared()) {
            throw new RefusedException("the record's write method is " + EnumSetting.text(method)
                    + ", which needs an id that records share; see " + DocumentSettings.DOCUMENT_ID);
        }
        index.check(method, document.record().topic(), settings);
        return method;
    }

    /**
     * Adds the document's JSON.
     *
     * @return whether it has vectors in Base64
     */
    private boolean addSource(Document document, WriteMethod method, Set<String> vectorsOfIndex) {
        if (method.isMerge()) {
            plain.append(BEFORE_MERGED);
        }
        int start = plain.length();
        added.append(document, plain);
        boolean isEncoded = vectors.encode(plain, start, vectorsOfIndex);
        if (method.isMerge()) {
            plain.append(method.createsMissing() ? AFTER_UPSERT : AFTER_UPDATE);
        }
        plain.append((byte) '\n');
        return isEncoded;
    }

    /** Names a template that no mapping has, for fields that the mapping has: without them the document is refused. */
    private void putTemplates(Set<String> fields) {
        templates.clear();
        byte[] before = TEMPLATES;
        for (String field : fields) {
            templates.append(before);
            templates.append((byte) '"');
            templates.appendEscaped(field.getBytes(StandardCharsets.UTF_8));
            templates.append(TEMPLATE);
            before = NEXT;
        }
        templates.append((byte) '}');
    }

    private void addAction(Document document, WriteMethod method) {
        plain.append(prefixOf(method, document.destination()));
        if (document.hasKey()) {
            plain.append(ID);
            plain.appendEscaped(document.key());
            plain.append((byte) '"');
            addVersion(document, method);
        }
        settings.routing().ifPresent(template -> addText(ROUTING, template, document, DocumentSettings.ROUTING));
        if (method != WriteMethod.DELETE) {
            pipeline.ifPresent(template -> addText(PIPELINE, template, document, IndexSettings.PIPELINE));
        }
        if (method.isMerge()) {
            plain.append(RETRIES);
        }
        plain.append(END_OF_ACTION);
    }

    private void addVersion(Document document, WriteMethod method) {
        if (settings.version().isOfLog()) {
            if (method == WriteMethod.INDEX) {
                plain.append(version);
                plain.append(versionOf(document));
            }
            return;
        }
        if (settings.version().isExternal() && method != WriteMethod.INDEX && method != WriteMethod.DELETE) {
            throw new RefusedException("Elasticsearch allows no external version with write method "
                    + EnumSetting.text(method) + "; see " + DocumentSettings.EXTERNAL_VERSION);
        }
        if (settings.version().isExternal()) {
            plain.append(version);
            plain.append(versionOf(document));
        }
    }

    /**
     * A document's external version, where documents have one.
     *
     * @throws RefusedException when its record gives none
     */
    public long versionOf(Document document) {
        return switch (settings.version().kind()) {
            case OFFSET -> document.recordOffset();
            case POSITION -> document.position();
            case LOG -> LogVersion.of(document.record().timestamp());
            case TEMPLATE -> ofRecord(document);
            case NONE -> throw new IllegalStateException("documents have no external version");
        };
    }

    private long ofRecord(Document document) {
        String text = filled(settings.version().template().orElseThrow(), document, DocumentSettings.EXTERNAL_VERSION);
        boolean digits = text.chars().allMatch(c -> c >= '0' && c <= '9');
        try {
            if (digits) {
                return Long.parseLong(text);
            }
        } catch (NumberFormatException e) {
            // more than 2^63 - 1
        }
        throw new RefusedException("the document's version is not a whole number from 0 to 2^63 - 1; see "
                + DocumentSettings.EXTERNAL_VERSION);
    }

    private void addText(byte[] name, Template template, Document document, String setting) {
        String text = filled(template, document, setting);
        if (!Utf8.isWellFormed(text)) {
            throw new RefusedException(
                    "the " + setting + " holds half a surrogate pair, which has no form in UTF-8; see " + setting);
        }
        plain.append(name);
        plain.appendEscaped(text.getBytes(StandardCharsets.UTF_8));
        plain.append((byte) '"');
    }

    private String filled(Template template, Document document, String setting) {
        try {
            return template.fill(document.record(), fields);
        } catch (RefusedException e) {
            throw new RefusedException(
                    "the record gives nothing for " + setting + "=" + template + ": " + e.getMessage(), e);
        }
    }

    private byte[] prefixOf(WriteMethod method, String destination) {
        Map<String, byte[]> known = prefixes.computeIfAbsent(method, unused -> new HashMap<>());
        byte[] prefix = known.get(destination);
        return prefix != null ? prefix : cached(known, destination, method.action());
    }

    private static byte[] cached(Map<String, byte[]> prefixes, String destination, String action) {
        if (prefixes.size() >= MAX_CACHED) {
            prefixes.clear();
        }
        byte[] prefix = ascii("{\"" + action + "\":{\"_index\":");
        byte[] index = destination.getBytes(StandardCharsets.UTF_8);
        ByteBuilder builder = new ByteBuilder(prefix.length + 6 * index.length + 2);
        builder.append(prefix);
        builder.append((byte) '"');
        builder.appendEscaped(index);
        builder.append((byte) '"');
        byte[] whole = Arrays.copyOf(builder.array(), builder.length());
        prefixes.put(destination, whole);
        return whole;
    }

    /** The body in one piece, backed by this body's own buffer. It is valid until the next {@link #clear()}. */
    public Request.Body data() {
        if (!compressed) {
            return new Request.Body(plain.slice(), CONTENT_TYPE, false);
        }
        gzip.clear();
        try (GZIPOutputStream out = new FastGzip(gzip)) {
            out.write(plain.array(), 0, plain.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a buffer in memory does not fail
        }
        return new Request.Body(gzip.slice(), CONTENT_TYPE, true);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The cheapest level: even so, JSON shrinks to a fifth. */
    private static final class FastGzip extends GZIPOutputStream {
        private static final int CHUNK = 8 << 10;

        FastGzip(ByteBuilder target) throws IOException {
            super(target, CHUNK);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
