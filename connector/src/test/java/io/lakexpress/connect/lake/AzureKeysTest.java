package io.lakexpress.connect.lake;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.Credential;
import io.lakexpress.connect.lake.storage.AzureAccess;
import io.lakexpress.connect.lake.storage.Secret;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AzureKeysTest {
  private static final String STRING = "AccountName=shop;AccountKey=c2VjcmV0";

  private ConfigReader config;

  private AzureAccess read(Map<String, String> keys) {
    return read(keys, null);
  }

  private AzureAccess read(Map<String, String> keys, Credential.Azure credential) {
    config = new ConfigReader(SinkConfig.definition(), new HashMap<>(keys));
    return AzureKeys.read(config, credential);
  }

  private List<String> problems(String key) {
    return config.validated().configValues().stream()
        .filter(value -> value.name().equals(key))
        .map(ConfigValue::errorMessages)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "azure.connection.string, AccountName=shop;AccountKey=c2VjcmV0, connection-string",
    "azure.account.key, c2VjcmV0, shared-key",
    "azure.sas.token, ?sv=2024&sig=c2VjcmV0, sas",
    "azure.client.id, 0a1b, managed-identity"
  })
  void oneKeyTellsHowToLogIn(String key, String value, String mode) {
    assertThat(read(Map.of(key, value)).login().mode()).isEqualTo(mode);
    assertThat(problems(key)).isEmpty();
  }

  @Test
  void nothingMeansTheMachinesIdentity() {
    assertThat(read(Map.of()).login()).isEqualTo(new AzureAccess.ManagedIdentity(null));
  }

  @Test
  void servicePrincipalNeedsThreeKeys() {
    assertThat(
            read(Map.of(
                    "azure.tenant.id", "t",
                    "azure.client.id", "c",
                    "azure.client.secret", "s"))
                .login())
        .isEqualTo(new AzureAccess.ServicePrincipal("t", "c", new Secret("s")));
    read(Map.of("azure.client.secret", "s", "azure.client.id", "c"));
    assertThat(problems("azure.tenant.id"))
        .containsExactly("Missing: expected it for azure.auth.mode service-principal");
  }

  @Test
  void namedModeMissesItsKey() {
    read(Map.of("azure.auth.mode", "shared-key"));
    assertThat(problems("azure.account.key"))
        .containsExactly("Missing: expected it for azure.auth.mode shared-key");
  }

  @Test
  void twoWaysToLogInContradictEachOther() {
    read(Map.of("azure.account.key", "c2VjcmV0", "azure.sas.token", "sig=x"));
    assertThat(problems("azure.sas.token"))
        .containsExactly("Contradicts azure.account.key: expected one way to log in");
    read(Map.of("azure.auth.mode", "managed-identity", "azure.account.key", "c2VjcmV0"));
    assertThat(problems("azure.account.key"))
        .containsExactly(
            "Contradicts azure.auth.mode managed-identity: expected one way to log in");
  }

  @ParameterizedTest
  @CsvSource({
    "azure.account.key, not-base64!",
    "azure.sas.token, https://x/?sig=hush",
    "azure.connection.string, hush",
    "azure.connection.string, AccountName=hush",
    "azure.endpoint, https://user:hush@x"
  })
  void wrongFormIsRefusedWithoutRepeatingIt(String key, String value) {
    read(Map.of(key, value));
    assertThat(problems(key)).hasSize(1).first().asString().doesNotContain("hush", "not-base64");
  }

  @Test
  void credentialCountsWhereTheSinkHasNoKeys() {
    Credential.Azure credential =
        new Credential.Azure("az", "abs://lake", null, null, null, new Password(STRING));
    AzureAccess access = read(Map.of("azure.endpoint", "http://127.0.0.1:10000/shop"), credential);
    assertThat(access.givenAccount()).contains("shop");
    assertThat(access.otherEndpoint()).contains("http://127.0.0.1:10000/shop");
    assertThat(read(Map.of("azure.sas.token", "sig=x"), credential).login().mode())
        .isEqualTo("sas");
    assertThat(access.toString()).doesNotContain("c2VjcmV0");
  }
}
