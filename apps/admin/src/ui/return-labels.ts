import { isReturnState, type ReturnState, returnStateLabels } from "@keepsats/domain";

export const returnLabels: Readonly<Record<ReturnState, string>> = {
  ...returnStateLabels,
  completed: "Return completed without a refund",
};

/** The label of a return's state; the state itself if a newer server has sent it. */
export function returnLabel(state: string): string {
  return isReturnState(state) ? returnLabels[state] : state;
}
