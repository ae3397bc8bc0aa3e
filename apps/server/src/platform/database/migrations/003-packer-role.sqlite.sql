-- A restricted member of staff or token keeps the role `staff`, which 1.0.0 can list. 1.0.0 does not
-- know the column and would grant that role, so the credentials are stored in a form that it does not
-- find, and the trigger refuses the sessions that it would open.
ALTER TABLE staff ADD COLUMN restricted_role TEXT;
ALTER TABLE tokens ADD COLUMN restricted_role TEXT;

CREATE TRIGGER restricted_sessions BEFORE INSERT ON staff_sessions
  WHEN new.hash NOT LIKE 'restricted %'
    AND EXISTS (SELECT 1 FROM staff WHERE id = new.staff_id AND restricted_role IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'the session of a restricted role needs a restricted hash');
END;
