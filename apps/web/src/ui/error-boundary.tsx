import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";

interface State {
  readonly failed: boolean;
}

/** Shows a way out where a page could not be loaded or drawn, in the place of nothing. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" className="border-y border-line py-10">
        <p className="mb-5 text-lg text-danger">This page could not be shown.</p>
        <Button onClick={() => window.location.reload()}>Load it again</Button>
      </div>
    );
  }
}
