/**
 * The first of three steps that a record takes before it becomes a document: takes the frame of a schema registry off a record's key and
 * value, that is, the few bytes that its serializers write before the payload. What is behind the frame is JSON, which
 * stays as it is, or bytes of another form, which {@code format} decodes next. The task thread calls {@link
 * io.tidegate.connect.common.frame.Unframing} for every record. It does no input or output.
 */
package io.tidegate.connect.common.frame;
