import { Component, type ReactNode } from "react";

interface Props {
  /** The same figures without the chart's code. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Shows the table instead of a chart whose chunk cannot be loaded or drawn. */
export class PlotBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
