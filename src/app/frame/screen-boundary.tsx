import { Component, type ReactNode } from "react";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { Head, Page } from "../page/page.tsx";

interface Props {
  /** A new address tries again. */
  address: string;
  children: ReactNode;
}

interface State {
  error: Error | null;
  address: string;
}

/** Keeps the frame when a screen throws, or when its file is gone because there is a newer build. */
export class ScreenBoundary extends Component<Props, State> {
  override state: State = { error: null, address: this.props.address };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps({ address }: Props, state: State): State | null {
    return address === state.address ? null : { error: null, address };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return isOldBuild(error) ? <NewerVersion /> : <ScreenFailed error={error} />;
  }
}

/** Browsers word it differently; none has a code for it. */
function isOldBuild({ message }: Error): boolean {
  return /dynamically imported module|importing a module script|module script failed|preload CSS/i.test(
    message,
  );
}

function NewerVersion() {
  return (
    <Page title="There is a newer version">
      <Head title="There is a newer version" />
      <EmptyState title="This page was opened before the server was updated">
        <p>Reload the page. No saved data is lost.</p>
        <Reload />
      </EmptyState>
    </Page>
  );
}

function ScreenFailed({ error }: { error: Error }) {
  return (
    <Page title="This screen has failed">
      <Head title="This screen has failed" />
      <EmptyState title={error.message || "The screen threw an error without a message"}>
        <p>
          This is an error in the application, not something that you did. Reload the page. The other screens
          still work.
        </p>
        <Reload />
      </EmptyState>
    </Page>
  );
}

function Reload() {
  return (
    <div>
      <button className="btn" type="button" onClick={() => location.reload()}>
        <Icon name="rotate" />
        Reload the page
      </button>
    </div>
  );
}
