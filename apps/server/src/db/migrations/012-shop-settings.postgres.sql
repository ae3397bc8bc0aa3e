-- The shop settings that the merchant has changed; value is JSON. The others have their defaults.
CREATE TABLE shop_settings (
  name       text   COLLATE "C" PRIMARY KEY,
  value      text   NOT NULL,
  changed_by text   NOT NULL,
  changed_at bigint NOT NULL
);
