-- The pictures that the merchant has uploaded, and each of them in the sizes and formats that the shop serves.
CREATE TABLE pictures (
  id      TEXT    NOT NULL PRIMARY KEY,
  width   INTEGER NOT NULL CHECK (width > 0),
  height  INTEGER NOT NULL CHECK (height > 0),
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE picture_files (
  picture_id TEXT    NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
  width      INTEGER NOT NULL CHECK (width > 0),
  format     TEXT    NOT NULL,
  content    BLOB    NOT NULL,
  PRIMARY KEY (picture_id, width, format)
) STRICT;
