-- Whether another loan goes on with this one. Until now that was known from the provider's word alone.
ALTER TABLE contracts ADD COLUMN was_extended integer NOT NULL DEFAULT 0 CHECK (was_extended IN (0, 1));
UPDATE contracts SET was_extended = 1 WHERE status = 'Extended';
