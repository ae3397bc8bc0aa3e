-- Whether another loan extends this one. Until now only the provider's status said so.
ALTER TABLE contracts ADD COLUMN was_extended integer NOT NULL DEFAULT 0 CHECK (was_extended IN (0, 1));
UPDATE contracts SET was_extended = 1 WHERE status = 'Extended';
