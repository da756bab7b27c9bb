/** The way to the extension. */
import type { FromPage } from "../preview/messages";

/** What of the page outlives its being hidden. */
export interface Kept {
  scroll: number;
  /** Collapsed or expanded by hand, by the segment's key. */
  folded: Record<string, boolean>;
}

interface Api {
  postMessage(message: FromPage): void;
  getState(): Kept | undefined;
  setState(state: Kept): void;
}

declare function acquireVsCodeApi(): Api;

const api = acquireVsCodeApi();

export const kept: Kept = api.getState() ?? { scroll: 0, folded: {} };

export function keep(): void {
  api.setState(kept);
}

export function send(message: FromPage): void {
  api.postMessage(message);
}
