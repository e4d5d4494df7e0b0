import { useEffect, useState } from "react";

/** The value once it has been unchanged for that long; compared by its JSON. */
export function useDebounced<Value>(value: Value, milliseconds: number): Value {
  const [held, hold] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => hold(JSON.parse(text) as Value), milliseconds);
    return () => clearTimeout(timer);
  }, [text, milliseconds]);
  return held;
}
