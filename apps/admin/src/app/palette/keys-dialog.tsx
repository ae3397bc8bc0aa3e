import { useLocation } from "react-router";
import { Modal } from "../../ui/modal.tsx";

interface KeyGroup {
  readonly title: string;
  /** Keys that are pressed together have a space between them. */
  readonly keys: readonly (readonly [keys: string, text: string])[];
}

const allScreens: KeyGroup = {
  title: "All screens",
  keys: [
    ["Ctrl k", "Find orders, items, screens and actions"],
    ["?", "List the keys of this screen"],
  ],
};

/** The keys of a screen by its path. */
const screens: Readonly<Record<string, KeyGroup>> = {
  "/orders": {
    title: "Orders",
    keys: [
      ["j", "Next order"],
      ["k", "Previous order"],
      ["x", "Select the order"],
      ["/", "Search"],
      ["Enter", "Open the order"],
      ["Shift click", "Select a range"],
    ],
  },
  "/items": {
    title: "Items",
    keys: [
      ["/", "Search"],
      ["Enter", "Edit the focused field, or save it"],
      ["Esc", "Discard the edit"],
      ["↑", "On a handle: move the item up"],
      ["↓", "On a handle: move the item down"],
      ["Shift click", "On a checkbox: select a range"],
    ],
  },
};

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const screen = screens[useLocation().pathname];
  const groups = screen === undefined ? [allScreens] : [screen, allScreens];
  return (
    <Modal title="Keys" onClose={onClose}>
      {groups.map(({ title, keys }) => (
        <section key={title} aria-label={title} className="mb-4">
          <h3 className="mb-1 text-sm text-ink-soft">{title}</h3>
          <dl>
            {keys.map(([shortcut, text]) => (
              <div
                key={shortcut}
                className="flex min-h-11 items-center gap-3 border-t border-line py-1"
              >
                <dt className="flex w-28 shrink-0 flex-wrap gap-1">
                  {shortcut.split(" ").map((key) => (
                    <kbd
                      key={key}
                      className="rounded-sm border border-line-strong bg-sunken px-1.5 text-sm"
                    >
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd className="min-w-0">{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
