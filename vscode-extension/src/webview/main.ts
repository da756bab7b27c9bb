/** The page of the prompt preview. */
import { t, useBundle } from "../l10n";
import { Debouncer } from "../debouncer";
import type { Frame, ToPage } from "../preview/messages";
import { el, swap } from "./dom";
import { renderHeader } from "./header";
import { pageState, savePageState, send } from "./vscodeApi";
import { Follower } from "./follower";
import { LineFocus } from "./keyboard";
import { renderOutline } from "./outline";
import { Notices } from "./notices";
import type { LinePosition } from "./segments";
import { Segments } from "./segments";
import { renderSetup } from "./setup";
import { renderUnreadFiles } from "./unreadFiles";
import { explain } from "./explanation";

useBundle(JSON.parse(document.body.dataset.bundle ?? "{}") as Record<string, string>);

const segments = new Segments();
const notices = new Notices();
const announcer = el("div", { id: "announcer", class: "spoken", role: "status", "aria-live": "polite" });
const main = el("main", { id: "prompt", "aria-label": t("Prompt segments") });
let header = el("header", { id: "header" }, el("h1", { class: "spoken" }, t("Prompt Preview")), el("span", { id: "waiting" }, t("Waiting for the server…")));
let setup = el("details", { id: "setup", hidden: true });
let unread = renderUnreadFiles([]);
let outline = renderOutline([], false, goTo);
let frame: Frame | undefined;
/** The file to explain as soon as the prompt has it. */
let toExplain: string | undefined;

main.append(outline, segments.element, unread);
document.body.append(header, el("section", { "aria-label": t("Runtime") }, setup), notices.element, main, announcer);
// The page is read-only: the editor's own menu items Cut and Paste do nothing.
document.body.dataset.vscodeContext = JSON.stringify({ preventDefaultContextMenuItems: true });

const follower = new Follower(segments);

const focus = new LineFocus(segments, {
  open: goToSource,
  explain: explainLine,
});

function explainLine(at: LinePosition): void {
  follower.mark(at);
  explain(segments, at);
}

function goToSource(at: LinePosition): void {
  const head = segments.get(at.segment)?.head;
  if (head?.uri) {
    send({ type: "open", uri: head.uri, line: (head.startLine ?? 0) + at.line });
  } else {
    explainLine(at);
  }
}

/** Announces the last of many changes to screen readers, not every keystroke. */
const announce = new Debouncer(() => {
  announcer.textContent = t("Prompt changed: {0}", frame?.total ?? "");
}, 1_000);

const scrollDebouncer = new Debouncer(() => {
  pageState.scroll = window.scrollY;
  savePageState();
}, 200);

function goToKind(kind: string): void {
  goTo(segments.heads.findIndex((head) => head.kind === kind));
}

function goTo(index: number): void {
  const target = segments.get(index);
  target?.element.scrollIntoView({ block: "start" });
  const control = target?.element.querySelector<HTMLElement>("button:not([hidden])");
  (control ?? segments.row({ segment: index, line: 0 }))?.focus({ preventScroll: true });
}

function showModel(message: Extract<ToPage, { type: "model" }>): void {
  const first = frame === undefined;
  if (first && !message.whole) {
    return; // meant for a previous page
  }
  if (message.whole) {
    segments.clear();
  }
  frame = message.frame;
  header = swap(header, renderHeader(frame));
  setup = swap(setup, renderSetup(frame, message.pickers, goToKind));
  unread = swap(unread, renderUnreadFiles(frame.unread));
  notices.showFailure("");
  notices.showApproximate(frame.approximate);
  notices.showProblems(frame.problems);
  const changed = segments.update(message.segments);
  outline = swap(outline, renderOutline(segments.heads, outline.open, goTo));
  focus.restore();
  document.body.dataset.hash = frame.hash;
  if (first) {
    window.scrollTo(0, pageState.scroll);
  }
  follower.refresh();
  explainFile();
  if (!first && changed) {
    announce.schedule();
  }
}

/** Scroll to the first line of the file to explain, and explain it unless it is explained already. */
function explainFile(): void {
  const at = toExplain === undefined ? undefined : segments.first(toExplain);
  if (at) {
    toExplain = undefined;
    document.getElementById("why")?.remove();
    explainLine(at);
    segments.elementAt(at)?.scrollIntoView({ block: "start" });
  }
}

/** Copy the selected text, else the line at which the menu was opened. */
function copySelection(at: LinePosition | undefined): void {
  const selected = document.getSelection()?.toString() ?? "";
  withLine(at, ({ segment, line }) => {
    send({ type: "copyText", text: selected || (segments.get(segment)?.lines.text(line) ?? "") });
  });
}

/** Run `action` for a line; by default for the selected one. */
function withLine(at: LinePosition | undefined, action: (at: LinePosition) => void): void {
  const line = at ?? focus.selected;
  if (line) {
    action(line);
  }
}

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  switch (data.type) {
    case "model":
      showModel(data);
      break;
    case "stale":
      notices.showStale(data.notice);
      break;
    case "notRead":
      notices.showNotRead(data.notice);
      break;
    case "server":
      notices.showServer(data.state);
      break;
    case "failure":
      notices.showFailure(data.message);
      break;
    case "explain":
      withLine(data.at, explainLine);
      break;
    case "explainFile":
      toExplain = data.uri;
      explainFile();
      break;
    case "follow":
      follower.follow(data.at);
      break;
    case "copySelection":
      copySelection(data.at);
      break;
    case "copied":
      notices.showCopied();
      break;
    case "goToSource":
      withLine(undefined, goToSource);
      break;
  }
});

window.addEventListener("scroll", () => {
  scrollDebouncer.schedule();
});

send({ type: "ready" });
