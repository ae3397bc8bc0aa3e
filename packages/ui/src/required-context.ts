import { type Context, createContext, use } from "react";

/**
 * Creates a context, and a hook that reads it and throws outside of it.
 *
 * @param name for the error message
 */
export function requiredContext<Value>(
  name: string,
): [context: Context<Value | undefined>, useValue: () => Value] {
  const context = createContext<Value | undefined>(undefined);
  function useValue(): Value {
    const value = use(context);
    if (value === undefined) throw new Error(`There is no ${name} context`);
    return value;
  }
  return [context, useValue];
}
