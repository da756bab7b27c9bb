/** The messages between the panel's page and the extension. */
import type { ServerState } from "../server/state";
import type { PreviewModel } from "./model";
import type { SegmentUpdate } from "./pageUpdates";

/** The model without its segments. */
export type Frame = Omit<PreviewModel, "segments">;

export type PickerKey = "folder" | "runtime" | "agent";

/** A drop-down list of the page; a group without a name has no heading. */
export interface Picker {
  key: PickerKey;
  label: string;
  /** The selected value; `auto` leaves the choice to the server. */
  chosen: string;
  groups: { name: string; choices: { value: string; text: string }[] }[];
}

export type Pickers = Picker[];

/** Where the user is in a file of the prompt; lines count from 0. */
export interface EditorPosition {
  uri: string;
  /** The line of the cursor. */
  line: number;
  /** The first visible line, to scroll to; null to show the cursor's line. */
  top: number | null;
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
    }
  | { type: "stale"; notice: StaleNotice | null }
  /** Why the file from which the preview was opened is not in the prompt, with a button. */
  | { type: "notRead"; notice: { text: string; button: string } | null }
  | { type: "server"; state: ServerState }
  | { type: "failure"; message: string }
  /** Explain a line; without `at`, the selected one. */
  | { type: "explain"; at: { segment: number; line: number } | undefined }
  | { type: "goToSource" }
  /** Explain the first line of a file. */
  | { type: "explainFile"; uri: string }
  | { type: "follow"; at: EditorPosition }
  /** Copy the selected text; without one, a line. */
  | { type: "copySelection"; at: { segment: number; line: number } | undefined }
  /** The clipboard has the copied text. */
  | { type: "copied" };

export type FromPage =
  | { type: "ready" }
  | { type: "open"; uri: string; line: number }
  | { type: "scrolled"; uri: string; line: number }
  | { type: "pick"; key: PickerKey; value: string }
  | { type: "copyText"; text: string }
  | { type: "makeExact" }
  /** Start the agent and compare what it sends. */
  | { type: "verify" }
  /** Do what the notice "notRead" offers. */
  | { type: "advice" }
  | { type: "difference" }
  | { type: "restart" };
