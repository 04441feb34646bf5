package io.lakexpress.connect.lake.storage;

/**
 * A folder of a container of a storage account.
 *
 * @param host as people read it, for example {@code account.dfs.core.windows.net}
 * @param endpoint of the account's Blob service
 * @param prefix without slashes at its ends; empty for the whole container
 */
public record AzurePlace(
    String account, String host, String endpoint, String container, String prefix) {
  String text() {
    return "abfss://" + container + "@" + host + (prefix.isEmpty() ? "" : "/" + prefix);
  }
}
