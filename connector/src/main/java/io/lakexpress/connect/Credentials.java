package io.lakexpress.connect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A credentials file in the form of LakeXpress: one JSON object, each key the name of an entry
 * {@code {"ds_type": …, "auth_mode": …, "info": {…}}}. A list of entries with an {@code id} is read
 * as well. {@code $env{NAME}} and {@code ${NAME}} inside a text stand for environment variables.
 * Only the entry that is asked for is checked. Immutable.
 */
public final class Credentials {
  private static final Logger LOG = LoggerFactory.getLogger(Credentials.class);
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private final Path file;
  private final Map<String, JsonNode> entries;
  private final Function<String, String> environment;

  private Credentials(
      Path file, Map<String, JsonNode> entries, Function<String, String> environment) {
    this.file = file;
    this.entries = Map.copyOf(entries);
    this.environment = environment;
  }

  /**
   * Reads a file.
   *
   * @throws CredentialsException naming the file and the reason
   */
  public static Credentials read(Path file) {
    return read(file, System::getenv);
  }

  static Credentials read(Path file, Function<String, String> environment) {
    Credentials credentials = new Credentials(file, entries(file), environment);
    warnIfOthersCanRead(file);
    return credentials;
  }

  /**
   * One entry.
   *
   * @throws CredentialsException naming the file, the entry and what is wrong with it
   */
  public Credential credential(String id) {
    JsonNode entry = entries.get(id);
    if (entry == null) {
      throw new CredentialsException(
          "Cannot find credential '"
              + id
              + "' in "
              + file
              + ": it holds "
              + (entries.isEmpty() ? "no entries" : new TreeMap<>(entries).keySet()));
    }
    return new CredentialEntry(file, id, entry, environment).credential();
  }

  private static Map<String, JsonNode> entries(Path file) {
    JsonNode root = json(file);
    Map<String, JsonNode> entries = new TreeMap<>();
    if (root.isObject()) {
      root.properties().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    } else if (root.isArray()) {
      for (JsonNode entry : root) {
        if (!entry.path("id").isTextual()) {
          throw new CredentialsException(
              "Cannot read credentials file " + file + ": an entry of the list has no 'id'");
        }
        entries.put(entry.path("id").asText(), entry);
      }
    } else {
      throw new CredentialsException(
          "Cannot read credentials file " + file + ": expected a JSON object");
    }
    return entries;
  }

  private static JsonNode json(Path file) {
    try {
      return JSON.readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      // Jackson's own message quotes the text around the mistake, which may be a password.
      throw new CredentialsException(
          "Cannot read credentials file "
              + file
              + ": not valid JSON at line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr());
    } catch (NoSuchFileException e) {
      throw new CredentialsException(
          "Cannot read credentials file " + file + ": it does not exist on this worker");
    } catch (IOException e) {
      throw new CredentialsException(
          "Cannot read credentials file " + file + ": " + e.getClass().getSimpleName());
    }
  }

  private static void warnIfOthersCanRead(Path file) {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
        LOG.warn("Credentials file {} can be read by every user of this machine", file);
      }
    } catch (UnsupportedOperationException | IOException e) {
      LOG.debug("Cannot read the permissions of credentials file {}", file, e);
    }
  }
}
