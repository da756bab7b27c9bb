/** The connection to the extension, and the page state that survives hiding. */
import type { FromPage } from "../preview/messages";

/** State that survives hiding the page. */
export interface PageState {
  scroll: number;
  /** Whether the user opened or closed the section with the pickers. */
  setupOpen?: boolean;
  /** Segments that the user folded (true) or unfolded (false), by their key. */
  folded: Record<string, boolean>;
}

interface Api {
  postMessage(message: FromPage): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
}

declare function acquireVsCodeApi(): Api;

const api = acquireVsCodeApi();

export const pageState: PageState = api.getState() ?? { scroll: 0, folded: {} };

export function savePageState(): void {
  api.setState(pageState);
}

export function send(message: FromPage): void {
  api.postMessage(message);
}
