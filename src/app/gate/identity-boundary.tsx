import { Component, type ReactNode, Suspense } from "react";
import { settleIdentity } from "../data/confirming.ts";

interface Props {
  children: ReactNode;
}

/**
 * Around the question who it is, and nothing else: what is open below stays as it is, while the question's file comes
 * and when it cannot, because there is a newer build or no network.
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
