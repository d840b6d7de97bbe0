CREATE TABLE readings (
  doc jsonb NOT NULL,
  __connect_topic text,
  __connect_partition int,
  __connect_offset bigint,
  UNIQUE (__connect_topic, __connect_partition, __connect_offset)
);
