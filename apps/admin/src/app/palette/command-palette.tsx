import { Autocomplete } from "@base-ui/react/autocomplete";
import { inputClasses } from "@keepsats/ui/input.tsx";
import { useState } from "react";
import { useNavigate } from "react-router";
import { loadErrorText } from "../../lib/api.ts";
import { useSession, useSignOut } from "../../lib/session.ts";
import { useSearchText } from "../../lib/use-search-text.ts";
import { Modal } from "../../ui/modal.tsx";
import type { Command, CommandGroup } from "./commands.ts";
import { useFound } from "./use-found.ts";

interface CommandPaletteProps {
  readonly onClose: () => void;
  readonly onListKeys: () => void;
}

export default function CommandPalette({ onClose, onListKeys }: CommandPaletteProps) {
  const [searched, setSearched] = useState("");
  const [typed, setTyped] = useSearchText(searched, setSearched);
  const { groups, isSearching, error } = useFound(typed, searched);
  const { shop_url: shopUrl } = useSession();
  const navigate = useNavigate();
  const { mutate: signOut } = useSignOut();

  function choose({ run }: Command): void {
    onClose();
    run({ navigate, shopUrl, listKeys: onListKeys, signOut });
  }
  return (
    <Modal title="Find" onClose={onClose}>
      <Autocomplete.Root
        inline
        open
        mode="none"
        items={groups}
        value={typed}
        onValueChange={(text, { reason }) => reason === "input-change" && setTyped(text)}
        itemToStringValue={({ label }: Command) => label}
        autoHighlight="always"
        keepHighlight
      >
        <Autocomplete.Input
          aria-label="Find"
          placeholder="Order, customer, item, screen or action"
          maxLength={200}
          className={inputClasses}
        />
        <p role="status" className="min-h-6 pt-1 text-sm text-ink-soft">
          {error !== null ? loadErrorText(error) : isSearching && "Searching…"}
        </p>
        <Autocomplete.Empty className="text-ink-soft">
          {isSearching || error !== null ? "" : "Nothing found."}
        </Autocomplete.Empty>
        <Autocomplete.List
          aria-label="Found"
          className="-mx-3 h-80 overflow-y-auto overscroll-contain"
        >
          {(group: CommandGroup) => (
            <Autocomplete.Group key={group.title} items={group.items}>
              <Autocomplete.GroupLabel className="px-3 pt-3 pb-1 text-sm text-ink-soft">
                {group.title}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(command: Command) => (
                  <Autocomplete.Item
                    key={command.id}
                    value={command}
                    onClick={() => choose(command)}
                    className="flex min-h-11 items-center justify-between gap-3 rounded-md px-3 data-highlighted:bg-sunken data-highlighted:ring-1 data-highlighted:ring-line-strong data-highlighted:ring-inset"
                  >
                    <span className="min-w-0 wrap-anywhere">{command.label}</span>
                    {command.detail !== undefined && (
                      <span className="money shrink-0 text-sm text-ink-soft">{command.detail}</span>
                    )}
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Modal>
  );
}
