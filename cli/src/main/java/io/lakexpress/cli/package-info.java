/** The command line: one class per command. */
package io.lakexpress.cli;
