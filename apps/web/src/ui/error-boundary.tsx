import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";

interface Props {
  readonly children: ReactNode;
  /** The part of the page, as in "The payment could not be shown." */
  readonly what?: string;
  /** What failed is drawn again when this changes. */
  readonly resetKey?: string;
  /** Called before what failed is drawn again on the button. */
  readonly onRetry?: () => void;
  /** Shows nothing in the place of what failed. */
  readonly silent?: boolean;
}

interface State {
  readonly failed: boolean;
}

/** Shows a button that draws a part of the page again when it could not be loaded or drawn. A reload would cost the basket. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidUpdate({ resetKey }: Props): void {
    if (this.state.failed && resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  readonly #retry = () => {
    this.props.onRetry?.();
    this.setState({ failed: false });
  };

  override render() {
    if (!this.state.failed) return this.props.children;
    if (this.props.silent === true) return null;
    return (
      <div role="alert" className="border-y border-line py-10">
        <p className="mb-5 text-lg text-danger">{this.props.what ?? "This page"} could not be shown.</p>
        <Button onClick={this.#retry}>Load it again</Button>
      </div>
    );
  }
}
