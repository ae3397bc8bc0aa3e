-- A restricted member of staff or token keeps the role `staff`, which 1.0.0 can list. 1.0.0 does not
-- know the column and would grant that role, so the credentials are stored in a form that it does not
-- find, and the trigger refuses the sessions that it would open.
ALTER TABLE staff ADD COLUMN restricted_role text;
ALTER TABLE tokens ADD COLUMN restricted_role text;

CREATE FUNCTION refuse_unrestricted_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM staff WHERE id = NEW.staff_id AND restricted_role IS NOT NULL) THEN
    RAISE EXCEPTION 'the session of a restricted role needs a restricted hash';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER restricted_sessions BEFORE INSERT ON staff_sessions
  FOR EACH ROW WHEN (NEW.hash NOT LIKE 'restricted %') EXECUTE FUNCTION refuse_unrestricted_session();
