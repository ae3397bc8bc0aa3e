-- The shop settings that the merchant has changed; value is JSON. The others have their defaults.
CREATE TABLE shop_settings (
  name       TEXT    NOT NULL PRIMARY KEY,
  value      TEXT    NOT NULL,
  changed_by TEXT    NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
