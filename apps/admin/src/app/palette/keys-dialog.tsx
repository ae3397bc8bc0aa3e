import { useLocation } from "react-router";
import { keysAt } from "../../lib/screen-keys.ts";
import { Modal } from "../../ui/modal.tsx";

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation();
  return (
    <Modal title="Keys" onClose={onClose}>
      {keysAt(pathname).map(({ title, keys }) => (
        <section key={title} aria-label={title} className="mb-4">
          <h3 className="mb-1 text-sm text-ink-soft">{title}</h3>
          <dl>
            {keys.map(({ keys, text }) => (
              <div
                key={`${keys.join()} ${text}`}
                className="flex min-h-11 items-center gap-3 border-t border-line py-1"
              >
                <dt className="flex w-28 shrink-0 flex-wrap gap-1">
                  {keys.map((key) => (
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
