import { Component, type ReactNode } from "react";
import { Failure } from "./states.tsx";

interface Props {
  children: ReactNode;
}

/** Keeps the navigation when a page throws, or when its chunk is gone because there is a newer build. */
export class PageBoundary extends Component<Props, { error: Error | null; path: string }> {
  override state = { error: null, path: location.pathname };

  static getDerivedStateFromError(error: Error) {
    return { error, path: location.pathname };
  }

  override render() {
    const { error } = this.state as { error: Error | null };
    if (!error || this.state.path !== location.pathname) return this.props.children;
    return (
      <Failure
        title="This page of the console has failed"
        text={`${error.message}. Load it again; if it fails again, the other pages still work.`}
        onRetry={() => location.reload()}
      />
    );
  }
}
