package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.LakexpressDb;

/** The lake of one sync: its book, its store, and the form and the places of its files. */
public record Lake(
    String syncId,
    LakexpressDb book,
    LakeStorage storage,
    RowFileFormat format,
    LakeLayout layout) {}
