import { Component, type ReactNode } from "react";
import { describeFailure, Refusal } from "../data/ask-server.ts";
import { LoadFailure } from "./loading.tsx";

interface Props {
  children: ReactNode;
}

/** Shown when a page throws, or when its chunk is gone because there is a newer build. */
export class GateBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const words = `${describeFailure(error)}. Reload the page.`;
    return <LoadFailure error={new Refusal("unknown", words)} onRetry={() => location.reload()} />;
  }
}
