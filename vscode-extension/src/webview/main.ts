/** The page of the prompt preview. */
import { t, useBundle } from "../l10n";
import { Later } from "../later";
import type { Frame, ToPage } from "../preview/messages";
import { el, swap } from "./dom";
import { headerOf } from "./header";
import { keep, kept, send } from "./host";
import { LineFocus } from "./keyboard";
import { outlineOf } from "./outline";
import { Notices } from "./notices";
import type { At } from "./segments";
import { Segments } from "./segments";
import { unreadOf } from "./unread";
import { explain } from "./why";

useBundle(JSON.parse(document.body.dataset.bundle ?? "{}") as Record<string, string>);

const segments = new Segments();
const notices = new Notices();
const announcer = el("div", { id: "announcer", class: "spoken", role: "status", "aria-live": "polite" });
const main = el("main", { id: "prompt", "aria-label": t("The prompt, piece by piece") });
let header = el("header", { id: "header" }, el("h1", {}, t("Prompt preview")), el("p", { id: "waiting" }, t("Waiting for the server …")));
let unread = unreadOf([]);
let outline = outlineOf([], false, goTo);
let frame: Frame | undefined;

main.append(outline, segments.element, unread);
document.body.append(header, notices.element, main, announcer);

const focus = new LineFocus(segments, {
  open: goToSource,
  explain(at) {
    explain(segments, at);
  },
});

function goToSource(at: At): void {
  const head = segments.get(at.segment)?.head;
  if (head?.uri) {
    send({ type: "open", uri: head.uri, line: (head.startLine ?? 0) + at.line });
  } else {
    explain(segments, at);
  }
}

/** Whoever listens hears of the last of many changes, not of each key. */
const announce = new Later(() => {
  announcer.textContent = t("The prompt changed: {0}", frame?.total ?? "");
}, 1_000);

const keepScroll = new Later(() => {
  kept.scroll = window.scrollY;
  keep();
}, 200);

function jump(kind: string): void {
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
    return; // it was meant for the page that was here before
  }
  if (message.whole) {
    segments.clear();
  }
  frame = message.frame;
  header = swap(header, headerOf(frame, message.pickers, message.revealed, jump));
  unread = swap(unread, unreadOf(frame.unread));
  notices.showFailure("");
  notices.showProblems(frame.problems);
  const changed = segments.update(message.segments);
  outline = swap(outline, outlineOf(segments.heads, outline.open, goTo));
  focus.restore();
  document.body.dataset.hash = frame.hash;
  if (first) {
    window.scrollTo(0, kept.scroll);
  } else if (changed) {
    announce.ask();
  }
}

/** Do it for a line, by default the one that is chosen. */
function withLine(at: At | undefined, action: (at: At) => void): void {
  const line = at ?? focus.place;
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
    case "why":
      withLine(data.at, (at) => {
        explain(segments, at);
      });
      break;
    case "go":
      withLine(undefined, goToSource);
      break;
  }
});

window.addEventListener("scroll", () => {
  keepScroll.ask();
});

send({ type: "ready" });
