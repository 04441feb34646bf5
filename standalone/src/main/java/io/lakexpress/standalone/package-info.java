/**
 * The stack in one JVM: a Kafka broker, a distributed Connect worker and a real PostgreSQL, each
 * started from production parts on a lasting data directory.
 */
package io.lakexpress.standalone;
