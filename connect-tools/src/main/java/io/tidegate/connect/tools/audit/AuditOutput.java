package io.tidegate.connect.tools.audit;

/** How a result is shown. One thread at a time uses it. */
interface AuditOutput {
    /** Before the first finding. */
    void begin(String connector, String store, Scope scope);

    void finding(Finding finding);

    /**
     * After the last one.
     *
     * @param dropped records that no row or document is expected for
     */
    void end(Scope scope, Findings findings, long dropped);

    /** What a repair would do. */
    void plan(RepairPlan plan);

    /** What a repair has done. */
    void repaired(Repair repair);
}
