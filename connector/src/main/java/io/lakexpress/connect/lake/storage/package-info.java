/** The stores that hold the lake. */
package io.lakexpress.connect.lake.storage;
