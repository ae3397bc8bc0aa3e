-- The assets of all recent builds of the web app, by their hashed names. The table is unlogged: after a crash of PostgreSQL
-- the servers store their assets again.
CREATE UNLOGGED TABLE web_assets (
  name    text     COLLATE "C" PRIMARY KEY,
  content bytea    NOT NULL,
  gzipped smallint NOT NULL CHECK (gzipped IN (0, 1)),
  used_at bigint   NOT NULL
);
