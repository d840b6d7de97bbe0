/**
 * The credentials provider {@code aws}: IAM tokens for PostgreSQL on RDS and Aurora, and signatures for OpenSearch Service and
 * OpenSearch Serverless, with the worker's own identity or roles that it assumes. Found as a service of the core's
 * {@code credentials}, only if a connector asks for it.
 */
package io.tidegate.connect.aws;
