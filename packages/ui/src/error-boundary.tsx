import { Component, type ReactNode, Suspense } from "react";
import { Button } from "./button.tsx";

interface Props {
  readonly children: ReactNode;
  /**
   * The subject of the message, as in "The payment could not be shown."; by default "This page".
   */
  readonly what?: string;
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
 * Replaces children that fail to load or render by a message and a button that renders them again.
 * The rest of the page stays usable and the cart is kept; a reload would empty it.
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
    this.props.onRetry?.();
    this.setState({ failed: false });
  };

  override render() {
    if (!this.state.failed) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    return (
      <div
        role="alert"
        className="border-y border-line py-10 in-[dialog]:border-0 in-[dialog]:py-2 in-[dialog]:pr-12"
      >
        <p className="mb-5 text-lg text-danger">
          {this.props.what ?? "This page"} could not be shown.
        </p>
        <Button onClick={this.#retry}>Load it again</Button>
      </div>
    );
  }
}

interface LoadingBoundaryProps {
  /** The subject of the error message; see {@link ErrorBoundary}. */
  readonly what: string;
  /** Makes the failed code load again. */
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/**
 * Shows "Loading…" while the code of lazy children loads, and a message with a button if it fails
 * to load.
 */
export function LoadingBoundary({ what, onRetry, children }: LoadingBoundaryProps) {
  return (
    <ErrorBoundary what={what} onRetry={onRetry}>
      <Suspense fallback={<p className="text-ink-soft">Loading…</p>}>{children}</Suspense>
    </ErrorBoundary>
  );
}
