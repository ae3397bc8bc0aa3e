-- Categories of items. `name_key`: the name in lower case. The whole list is replaced at once, so the
-- foreign key is checked at the commit.
CREATE TABLE categories (
  id       TEXT    PRIMARY KEY,
  name     TEXT    NOT NULL,
  name_key TEXT    NOT NULL UNIQUE,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE items ADD COLUMN category_id TEXT
  REFERENCES categories (id) DEFERRABLE INITIALLY DEFERRED;

-- The main item of a variant. No foreign key: 1.0.0 deletes a main item without its variants.
ALTER TABLE items ADD COLUMN variant_of TEXT;
ALTER TABLE items ADD COLUMN variant_name TEXT;
CREATE INDEX items_by_main ON items (variant_of) WHERE variant_of IS NOT NULL;
