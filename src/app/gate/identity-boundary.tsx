import { Component, type ReactNode, Suspense } from "react";
import { settleIdentity } from "../data/confirming.ts";

interface Props {
  children: ReactNode;
}

/**
 * Surrounds only the identity question: the page below stays unchanged while the question's file loads, and when it cannot
 * load, because there is a newer build or no network.
 */
export class IdentityBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch() {
    settleIdentity("unasked");
  }

  override render() {
    return this.state.hasFailed ? null : <Suspense fallback={null}>{this.props.children}</Suspense>;
  }
}
