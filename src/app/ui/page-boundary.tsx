import { Component, type ReactNode } from "react";
import { Failure } from "./states.tsx";

interface Props {
  children: ReactNode;
}

/** A page that throws leaves the navigation standing. A chunk that cannot be loaded (a newer build is there) ends here too. */
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
