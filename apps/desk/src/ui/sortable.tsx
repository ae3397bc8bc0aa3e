import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from "@dnd-kit/core";
import { rectSortingStrategy, SortableContext, useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import type { ReactNode } from "react";

interface SortableProps {
  /** The ids of the things in their order. */
  readonly ids: readonly string[];
  /** @param to the place in the list, from 0 */
  readonly onMove: (id: string, to: number) => void;
  readonly children: ReactNode;
}

const nothing = () => undefined;

/** The screens announce moves themselves, because they move things by keys too. */
const silent = {
  announcements: {
    onDragStart: nothing,
    onDragOver: nothing,
    onDragEnd: nothing,
    onDragCancel: nothing,
  },
  screenReaderInstructions: { draggable: "" },
};

/** Lets things be dragged to another place with a pointer or a finger; see {@link useSorted}. */
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

/** The props of one thing of a {@link Sortable}, and of the handle by which it is dragged. */
export function useSorted(id: string, canMove = true) {
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } =
    useSortable({ id, disabled: !canMove });
  return {
    isDragging,
    thing: { ref: setNodeRef, style: { transform: CSS.Translate.toString(transform), transition } },
    handle: { ref: setActivatorNodeRef, ...listeners },
  };
}
