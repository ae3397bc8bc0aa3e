-- The assets of all recent builds of the web app, by their hashed names.
CREATE TABLE web_assets (
  name    TEXT    NOT NULL PRIMARY KEY,
  content BLOB    NOT NULL,
  gzipped INTEGER NOT NULL CHECK (gzipped IN (0, 1)),
  used_at INTEGER NOT NULL
) STRICT;
