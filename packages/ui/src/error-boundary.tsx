import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { retryFailedLoads } from "./lazy-component.ts";

interface Props {
  readonly children: ReactNode;
  /** When this changes, failed children are rendered again. */
  readonly resetKey?: string;
  /** Called on a click on the button, before the children are rendered again. */
  readonly onRetry?: () => void;
  /** Shown instead of the message and the button; `null` shows nothing. */
  readonly fallback?: ReactNode;
}

interface State {
  readonly failed: boolean;
}

/**
 * Replaces children that fail to load or render by a message and a button that loads and renders
 * them again. The rest of the page stays usable and the cart is kept; a reload would empty it.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidUpdate({ resetKey }: Props): void {
    if (this.state.failed && resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  readonly #retry = () => {
    retryFailedLoads();
    this.props.onRetry?.();
    this.setState({ failed: false });
  };

  override render() {
    if (!this.state.failed) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    return (
      <div role="alert" className="border-y border-line py-10">
        <p className="mb-5 text-lg text-danger">This page could not be shown.</p>
        <Button onClick={this.#retry}>Load it again</Button>
      </div>
    );
  }
}
