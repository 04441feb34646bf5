package io.lakexpress.connect.source;

import io.lakexpress.connect.CommonConfig;
import io.lakexpress.connect.ConfigForm;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/** Which keys of the source connector make sense beside which others. */
final class SourceForm {
  private SourceForm() {}

  /** The definition as web forms want it. */
  static ConfigDef complete(ConfigDef definition) {
    ConfigForm form =
        CommonConfig.LAKEXPRESS_DB
            .show(SourceKeys.SOURCE.show(new ConfigForm(definition)))
            .showWith(SourceKeys.SOURCE.authId(), SourceKeys.DATABASE_NAME)
            .showWhen(SourceKeys.INTERVAL, SourceKeys.MODE, SourceForm::isContinuous)
            .showWhen(SourceKeys.CRON, SourceKeys.MODE, SourceForm::isContinuous)
            .showWith(
                SourceKeys.INCREMENTAL_TABLES,
                SourceKeys.TIME_ZONE,
                SourceKeys.TIME_ZONE_OVERRIDES);
    String group = definition.configKeys().get(SourceKeys.INCREMENTAL_TABLES).group;
    for (ConfigKey key : definition.configKeys().values()) {
      if (group.equals(key.group) && !key.name.equals(SourceKeys.INCREMENTAL_TABLES)) {
        form.showWith(SourceKeys.INCREMENTAL_TABLES, key.name);
      }
    }
    return form.definition();
  }

  private static boolean isContinuous(String mode) {
    return mode.equals("continuous");
  }
}
