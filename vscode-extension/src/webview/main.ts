/** The page of the prompt preview. */
import { t, useBundle } from "../l10n";
import type { ToPage } from "../preview/messages";
import type { PreviewModel } from "../preview/model";
import { el } from "./dom";
import { headerOf } from "./header";
import { keep, kept, send } from "./host";
import { LineFocus } from "./keyboard";
import { outlineOf } from "./outline";
import { Notices } from "./notices";
import { Segments, unreadOf } from "./segments";
import { explain } from "./why";

useBundle(JSON.parse(document.body.dataset.bundle ?? "{}") as Record<string, string>);

const segments = new Segments();
const notices = new Notices();
const announcer = el("div", { id: "announcer", class: "spoken", role: "status", "aria-live": "polite" });
const main = el("main", { id: "prompt", "aria-label": t("The prompt, piece by piece") });
let header = el("header", { id: "header" }, el("h1", {}, t("Prompt preview")), el("p", { id: "waiting" }, t("Waiting for the server …")));
let unread = unreadOf([]);
let outline = outlineOf([], false, goTo);
let model: PreviewModel | undefined;

main.append(outline, segments.element, unread);
document.body.append(header, notices.element, main, announcer);

const focus = new LineFocus(segments.element, {
  open(line) {
    const segment = segmentAt(line);
    if (segment?.uri) {
      send({ type: "open", uri: segment.uri, line: Number(line.dataset.sourceLine ?? 0) });
    } else {
      this.explain(line);
    }
  },
  explain(line) {
    const segment = segmentAt(line);
    if (segment) {
      explain(line, segment);
    }
  },
});

function segmentAt(line: HTMLElement) {
  const index = line.closest("[data-segment]")?.getAttribute("data-segment");
  return model?.segments[Number(index)];
}

function jump(kind: string): void {
  goTo(model?.segments.findIndex((segment) => segment.kind === kind) ?? -1);
}

function goTo(index: number): void {
  const target = segments.get(index);
  target?.scrollIntoView({ block: "start" });
  target?.querySelector<HTMLElement>("button, .line")?.focus({ preventScroll: true });
}

function showModel(message: Extract<ToPage, { type: "model" }>): void {
  const first = model === undefined;
  model = message.model;
  const focused = document.activeElement?.closest("[data-action], [data-picker]");
  const next = headerOf(model, message.pickers, message.revealed, jump);
  header.replaceWith(next);
  header = next;
  refocus(focused);
  const nextUnread = unreadOf(model.unread);
  unread.replaceWith(nextUnread);
  unread = nextUnread;
  const nextOutline = outlineOf(model.segments, outline.open, goTo);
  outline.replaceWith(nextOutline);
  outline = nextOutline;
  notices.showFailure("");
  notices.showProblems(model.problems);
  const changed = segments.update(model.segments);
  focus.restore();
  document.body.dataset.hash = model.hash;
  if (first) {
    window.scrollTo(0, kept.scroll);
  } else if (changed) {
    announcer.textContent = t("The prompt changed: {0}", model.total);
  }
}

/** The header is drawn anew; the control that had the focus gets it back. */
function refocus(focused: Element | null | undefined): void {
  for (const name of ["data-action", "data-picker"]) {
    const value = focused?.getAttribute(name);
    if (value) {
      header.querySelector<HTMLElement>(`[${name}="${value}"]`)?.focus();
    }
  }
}

function showWhy(segment: number, line: number): void {
  const element = segments.get(segment)?.querySelector<HTMLElement>(`[data-line="${line}"]`);
  const view = model?.segments[segment];
  if (element && view) {
    explain(element, view);
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
      showWhy(data.segment, data.line);
      break;
  }
});

window.addEventListener("scroll", () => {
  kept.scroll = window.scrollY;
  keep();
});

send({ type: "ready" });
