/**
 * Takes the frame of a schema registry off a record's key and value: the few bytes that its serializers write before the
 * payload. The task thread calls {@link io.tidegate.connect.common.frame.Unframing} for every record, before it becomes
 * a document. It does no input or output: only a decoder of {@code format} asks a registry.
 */
package io.tidegate.connect.common.frame;
