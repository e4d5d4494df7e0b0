import { useEffect, useRef, useState } from "react";
import type { SearchAction, SearchEffect } from "#telemetry/index.ts";
import { CallError } from "../../../data/call.ts";
import { sendAction } from "../report.ts";

interface State {
  effect: SearchEffect | null;
  error: string;
  isBusy: boolean;
}

const IDLE: State = { effect: null, error: "", isBusy: false };

/** Measures a change on past searches. Cancelling, another choice and leaving also end the work on the server. */
export function useEffectOf() {
  const [state, setState] = useState(IDLE);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const reset = () => {
    running.current?.abort();
    running.current = null;
    setState(IDLE);
  };
  const measure = async (action: SearchAction) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ ...IDLE, isBusy: true });
    try {
      const effect = await sendAction<SearchEffect>("searches/effect", action, controller.signal);
      if (!controller.signal.aborted) setState({ ...IDLE, effect });
    } catch (cause) {
      if (controller.signal.aborted) return;
      if (!(cause instanceof CallError)) throw cause;
      setState({ ...IDLE, error: cause.message });
    }
  };
  return { ...state, measure, reset, cancel: reset };
}
