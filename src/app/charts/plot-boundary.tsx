import { Component, type ReactNode } from "react";

interface Props {
  /** The same figures without the chart's code. */
  fallback: ReactNode;
  children: ReactNode;
}

/** A chart whose chunk cannot be loaded, or that cannot be drawn, is its table; the page goes on. */
export class PlotBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
