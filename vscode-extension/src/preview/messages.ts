/** What the panel's page and the extension say to each other. */
import type { ServerState } from "../server/state";
import type { PreviewModel } from "./model";
import type { SegmentUpdate } from "./updates";

/** What stands around the segments. */
export type Frame = Omit<PreviewModel, "segments">;

/** What may be picked in the panel; `auto` leaves the choice to the server. */
export interface Pickers {
  runtimes: { id: string; title: string }[];
  agents: string[];
  runtime: string;
  agent: string;
}

export interface StaleNotice {
  text: string;
  /** The words of the link that shows the difference. */
  link: string;
}

export type ToPage =
  | {
      type: "model";
      /** Nothing of an earlier message is built on: the first one for a page. */
      whole: boolean;
      frame: Frame;
      segments: SegmentUpdate[];
      pickers: Pickers;
      /** Secrets are shown as they are. */
      revealed: boolean;
    }
  | { type: "stale"; notice: StaleNotice | null }
  | { type: "server"; state: ServerState }
  | { type: "failure"; message: string }
  /** Why a line is there, and where it comes from; without a place, of the line that is chosen. */
  | { type: "why"; at: { segment: number; line: number } | undefined }
  | { type: "go" };

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
