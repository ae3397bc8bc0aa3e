-- The files of the web app's builds, by their hashed names, for as long as open pages may ask for them. What a crash takes
-- the servers put back.
CREATE UNLOGGED TABLE web_assets (
  name    text     COLLATE "C" PRIMARY KEY,
  content bytea    NOT NULL,
  gzipped smallint NOT NULL CHECK (gzipped IN (0, 1)),
  used_at bigint   NOT NULL
);
