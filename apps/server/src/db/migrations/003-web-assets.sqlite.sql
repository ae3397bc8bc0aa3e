-- The files of the web app's builds, by their hashed names, for as long as open pages may ask for them.
CREATE TABLE web_assets (
  name    TEXT    NOT NULL PRIMARY KEY,
  content BLOB    NOT NULL,
  gzipped INTEGER NOT NULL CHECK (gzipped IN (0, 1)),
  used_at INTEGER NOT NULL
) STRICT;
