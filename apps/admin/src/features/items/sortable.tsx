import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from "@dnd-kit/core";
import { rectSortingStrategy, SortableContext, useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import type { ReactNode } from "react";

interface SortableProps {
  readonly ids: readonly string[];
  /** @param to zero-based */
  readonly onMove: (id: string, to: number) => void;
  readonly children: ReactNode;
}

const noAnnouncement = () => undefined;

/** The screens announce moves themselves, because keys move elements too. */
const silent = {
  events: {
    onDragStart: noAnnouncement,
    onDragOver: noAnnouncement,
    onDragEnd: noAnnouncement,
    onDragCancel: noAnnouncement,
  },
  screenReaderInstructions: { draggable: "" },
};

/** A list whose elements are dragged with a pointer or a finger; see {@link useSorted}. */
export function Sortable({ ids, onMove, children }: SortableProps) {
  const sensors = useSensors(useSensor(PointerSensor));
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={silent}
      onDragEnd={({ active, over }) => {
        if (over !== null && over.id !== active.id)
          onMove(String(active.id), ids.indexOf(String(over.id)));
      }}
    >
      <SortableContext items={[...ids]} strategy={rectSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

/** The props of an element of a {@link Sortable}, and of its drag handle. */
export function useSorted(id: string, canMove = true) {
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } =
    useSortable({ id, disabled: !canMove });
  return {
    isDragging,
    element: {
      ref: setNodeRef,
      style: { transform: CSS.Translate.toString(transform), transition },
    },
    handle: { ref: setActivatorNodeRef, ...listeners },
  };
}
