import { Accordion as Primitive } from "@base-ui/react/accordion";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

interface AccordionProps {
  /** The `value` of the item that is open at first. */
  readonly open: string;
  readonly children: ReactNode;
}

/** A set of panels of which one is open at a time. */
export function Accordion({ open, children }: AccordionProps) {
  return (
    <Primitive.Root defaultValue={[open]} className="border-y border-line">
      {children}
    </Primitive.Root>
  );
}

interface AccordionItemProps {
  readonly value: string;
  readonly title: ReactNode;
  readonly children: ReactNode;
}

/** One panel of an {@link Accordion}. */
export function AccordionItem({ value, title, children }: AccordionItemProps) {
  return (
    <Primitive.Item value={value} className="not-first:border-t not-first:border-line">
      <Primitive.Header>
        <Primitive.Trigger className="group flex min-h-13 w-full items-center justify-between gap-3 py-3 text-left font-medium">
          <span className="flex items-center gap-2.5">{title}</span>
          <ChevronDown
            aria-hidden
            size={18}
            className="shrink-0 text-ink-soft transition-transform group-data-panel-open:rotate-180"
          />
        </Primitive.Trigger>
      </Primitive.Header>
      <Primitive.Panel className="-mx-1 h-(--accordion-panel-height) overflow-hidden transition-[height] data-ending-style:h-0 data-starting-style:h-0">
        <div className="px-1 pb-5">{children}</div>
      </Primitive.Panel>
    </Primitive.Item>
  );
}
