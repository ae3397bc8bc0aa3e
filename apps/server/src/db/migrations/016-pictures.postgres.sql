-- The pictures that the merchant has uploaded, and each of them in the sizes and formats that the shop serves.
CREATE TABLE pictures (
  id      text    COLLATE "C" PRIMARY KEY,
  width   integer NOT NULL CHECK (width > 0),
  height  integer NOT NULL CHECK (height > 0),
  used_at bigint  NOT NULL
);

CREATE TABLE picture_files (
  picture_id text    COLLATE "C" NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
  width      integer NOT NULL CHECK (width > 0),
  format     text    COLLATE "C" NOT NULL,
  content    bytea   NOT NULL,
  PRIMARY KEY (picture_id, width, format)
);
-- The content is compressed already.
ALTER TABLE picture_files ALTER COLUMN content SET STORAGE EXTERNAL;
