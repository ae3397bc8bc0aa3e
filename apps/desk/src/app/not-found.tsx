import { textLink } from "@keepsats/ui/text-link.ts";
import { Link } from "react-router";
import { Screen } from "../ui/screen.tsx";

/** For addresses that no screen has. */
export function NotFound() {
  return (
    <Screen title="Not found">
      <p>
        There is no such page.{" "}
        <Link to="/" className={textLink}>
          Go to Today
        </Link>
      </p>
    </Screen>
  );
}
