-- Categories of items. `name_key`: the name in lower case. The whole list is replaced at once, so the
-- foreign key is checked at the commit.
CREATE TABLE categories (
  id       text    COLLATE "C" PRIMARY KEY,
  name     text    NOT NULL,
  name_key text    NOT NULL UNIQUE,
  position integer NOT NULL
);
ALTER TABLE items ADD COLUMN category_id text COLLATE "C"
  REFERENCES categories (id) DEFERRABLE INITIALLY DEFERRED;

-- The main item of a variant. No foreign key: 1.0.0 deletes a main item without its variants.
ALTER TABLE items ADD COLUMN variant_of text COLLATE "C";
ALTER TABLE items ADD COLUMN variant_name text;
CREATE INDEX items_by_main ON items (variant_of) WHERE variant_of IS NOT NULL;
