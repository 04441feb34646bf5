/** The loop of the source: runs are opened, jobs claimed, windows read and closed. No JDBC. */
package io.lakexpress.connect.source.read;
