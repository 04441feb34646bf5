package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.LakexpressDb;

/**
 * The lake of one sync: its book, its store, and the form and the places of its files.
 *
 * @param connector the name of the lake sink connector that writes it
 */
public record Lake(
    String syncId,
    String connector,
    LakexpressDb book,
    LakeStorage storage,
    RowFileFormat format,
    LakeLayout layout) {}
