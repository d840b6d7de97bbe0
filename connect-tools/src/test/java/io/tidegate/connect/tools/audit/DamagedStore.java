package io.tidegate.connect.tools.audit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** A table or index of a case, which a test reads and damages behind the sink's back. */
interface DamagedStore {
    /** The connector's settings, without topics. */
    Map<String, String> config();

    /** Whether records of one key share a row or document. */
    boolean isKeyed();

    /** Whether a record without a value deletes. */
    boolean deletes();

    /** Whether a row or document shows which record wrote it. */
    boolean showsPositions();

    /** Whether the store may have several rows of one record. */
    boolean allowsCopies();

    /** Whether the audit notices rows or documents that no record explains. */
    boolean noticesStrangers();

    /** Whether the sink goes on when its topic was created again. */
    boolean takesNewTopics();

    /** Whether a record of another topic may have the key of a record of this one. */
    boolean takesOtherLogs();

    /** Whether only the order of writes, and nothing in the store, keeps an old record from undoing a deletion. */
    boolean isOrderOnly();

    /** Waits until the store has forgotten the versions of what was deleted. */
    void awaitForgotten();

    /** What identifies the row or document of a record. */
    String identityOf(History.Entry entry);

    /** What a record leaves in the store, as {@link #read} has it. */
    String contentOf(History.Entry entry);

    /** All rows or documents, by what identifies them. */
    SortedMap<String, List<String>> read() throws Exception;

    void delete(String identity, Optional<History.Entry> last) throws Exception;

    /** Changes the value of a row or document and leaves the position that it shows. */
    void change(String identity, Optional<History.Entry> last) throws Exception;

    /** Writes a record as the sink did once, whatever is stored now. */
    void write(History.Entry older) throws Exception;

    /** Adds an equal row. */
    void copy(String identity) throws Exception;

    /**
     * Writes what no record explains.
     *
     * @param topic that it shows, if it shows one
     */
    void writeStranger(String identity, String topic) throws Exception;
}
