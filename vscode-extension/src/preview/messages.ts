/** The messages between the panel's page and the extension. */
import type { ServerState } from "../server/state";
import type { PreviewModel } from "./model";
import type { SegmentUpdate } from "./pageUpdates";

/** The model without its segments. */
export type Frame = Omit<PreviewModel, "segments">;

/** The options of the pickers; `auto` leaves the choice to the server. */
export interface Pickers {
  runtimes: { id: string; title: string }[];
  agents: string[];
  runtime: string;
  agent: string;
}

export interface StaleNotice {
  text: string;
  /** The text of the link that shows the changes. */
  link: string;
}

export type ToPage =
  | {
      type: "model";
      /** The update is complete and does not depend on an earlier message. */
      whole: boolean;
      frame: Frame;
      segments: SegmentUpdate[];
      pickers: Pickers;
      /** Secrets are shown unmasked. */
      revealed: boolean;
    }
  | { type: "stale"; notice: StaleNotice | null }
  | { type: "server"; state: ServerState }
  | { type: "failure"; message: string }
  /** Explain a line; without `at`, the selected one. */
  | { type: "explain"; at: { segment: number; line: number } | undefined }
  | { type: "goToSource" };

export type FromPage =
  | { type: "ready" }
  | { type: "open"; uri: string; line: number }
  | { type: "pick"; key: "runtime" | "agent"; value: string }
  | { type: "reveal"; value: boolean }
  | { type: "copy" }
  | { type: "compare" }
  | { type: "openText" }
  | { type: "difference" }
  | { type: "restart" };
