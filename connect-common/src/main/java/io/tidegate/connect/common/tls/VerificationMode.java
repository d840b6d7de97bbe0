package io.tidegate.connect.common.tls;

/** How much of a server's certificate is verified; the words are Elasticsearch's own. */
public enum VerificationMode {
    /** It is issued by a trusted authority, is valid now, and names the host. */
    FULL,
    /** It is issued by a trusted authority and is valid now; the host name does not matter. */
    CERTIFICATE,
    /** Nothing: anybody on the way can read and change everything. */
    NONE
}
