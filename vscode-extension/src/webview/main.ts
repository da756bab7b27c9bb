/** The page of the prompt preview. */
import { t, useBundle } from "../l10n";
import { Debouncer } from "../debouncer";
import type { Frame, ToPage } from "../preview/messages";
import { el, swap } from "./dom";
import { renderHeader } from "./header";
import { pageState, savePageState, send } from "./vscodeApi";
import { LineFocus } from "./keyboard";
import { renderOutline } from "./outline";
import { Notices } from "./notices";
import type { LinePosition } from "./segments";
import { Segments } from "./segments";
import { renderUnreadFiles } from "./unreadFiles";
import { explain } from "./explanation";

useBundle(JSON.parse(document.body.dataset.bundle ?? "{}") as Record<string, string>);

const segments = new Segments();
const notices = new Notices();
const announcer = el("div", { id: "announcer", class: "spoken", role: "status", "aria-live": "polite" });
const main = el("main", { id: "prompt", "aria-label": t("Prompt segments") });
let header = el("header", { id: "header" }, el("h1", {}, t("Prompt Preview")), el("p", { id: "waiting" }, t("Waiting for the server…")));
let unread = renderUnreadFiles([]);
let outline = renderOutline([], false, goTo);
let frame: Frame | undefined;

main.append(outline, segments.element, unread);
document.body.append(header, notices.element, main, announcer);

const focus = new LineFocus(segments, {
  open: goToSource,
  explain(at) {
    explain(segments, at);
  },
});

function goToSource(at: LinePosition): void {
  const head = segments.get(at.segment)?.head;
  if (head?.uri) {
    send({ type: "open", uri: head.uri, line: (head.startLine ?? 0) + at.line });
  } else {
    explain(segments, at);
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
  header = swap(header, renderHeader(frame, message.pickers, message.revealed, goToKind));
  unread = swap(unread, renderUnreadFiles(frame.unread));
  notices.showFailure("");
  notices.showProblems(frame.problems);
  const changed = segments.update(message.segments);
  outline = swap(outline, renderOutline(segments.heads, outline.open, goTo));
  focus.restore();
  document.body.dataset.hash = frame.hash;
  if (first) {
    window.scrollTo(0, pageState.scroll);
  } else if (changed) {
    announce.schedule();
  }
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
    case "server":
      notices.showServer(data.state);
      break;
    case "failure":
      notices.showFailure(data.message);
      break;
    case "explain":
      withLine(data.at, (at) => {
        explain(segments, at);
      });
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
