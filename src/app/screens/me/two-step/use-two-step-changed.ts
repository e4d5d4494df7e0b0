import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

/** Reads everything again that shows whether two-step sign-in is on. */
export function useTwoStepChanged(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    await Promise.all([["two-step"], ["members"]].map((queryKey) => client.invalidateQueries({ queryKey })));
  }, [client]);
}
