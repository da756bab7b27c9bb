/** Notices above the prompt: server state, agents with an older prompt, problems. */
import { t } from "../l10n";
import type { StaleNotice } from "../preview/messages";
import { Debouncer } from "../debouncer";
import type { PreviewModel } from "../preview/model";
import type { ServerState } from "../server/state";
import { button, el, swap } from "./dom";
import { send } from "./vscodeApi";

/** How long "Copied" is shown, in milliseconds. */
const COPIED_MS = 2_000;

export class Notices {
  readonly element: HTMLElement;
  private readonly copied = el("div", { id: "copied", role: "status" });
  private readonly hideCopied = new Debouncer(() => {
    this.copied.textContent = "";
  }, COPIED_MS);
  private approximate = approximateNotice(null);
  private readonly notRead = el("div", { class: "notice", id: "not-read", role: "status", hidden: true });
  private readonly server = el("div", { class: "notice", id: "server", role: "status", hidden: true });
  private readonly failure = el("div", { class: "notice error", id: "failure", role: "alert", hidden: true });
  private readonly stale = el("div", { class: "notice", id: "stale", role: "status", hidden: true });
  private problems = problemList([]);

  constructor() {
    this.element = el("section", { id: "notices", "aria-label": t("Notices") }, this.copied, this.notRead, this.server, this.failure, this.stale, this.approximate, this.problems);
  }

  showServer(state: ServerState): void {
    const texts: Record<ServerState, string> = {
      running: "",
      starting: t("The server is starting. The preview may be outdated."),
      off: t("The server isn't running. The preview may be outdated."),
      failed: t("The server isn't running. The preview may be outdated."),
    };
    const restart = button(t("Restart Server"), () => {
      send({ type: "restart" });
    });
    const text = texts[state];
    this.server.hidden = text === "";
    this.server.replaceChildren(text, " ", ...(state === "starting" ? [] : [restart]));
  }

  showFailure(message: string): void {
    this.failure.hidden = message === "";
    this.failure.textContent = message;
  }

  showStale(notice: StaleNotice | null): void {
    this.stale.hidden = notice === null;
    if (notice) {
      const show = button(notice.link, () => {
        send({ type: "difference" });
      }, { class: "link", "data-action": "difference" });
      this.stale.replaceChildren(notice.text, " ", show);
    }
  }

  /** Say that the file from which the preview was opened is not in the prompt. */
  showNotRead(notice: { text: string; button: string } | null): void {
    this.notRead.hidden = notice === null;
    const action = notice?.button
      ? [button(notice.button, () => {
          send({ type: "advice" });
        }, { class: "link" })]
      : [];
    this.notRead.replaceChildren(...(notice ? [notice.text, " ", ...action] : []));
  }

  showCopied(): void {
    this.copied.textContent = t("Copied");
    this.hideCopied.schedule();
  }

  /** Explain why the template's text is approximate, with a button that makes it exact. */
  showApproximate(notice: PreviewModel["approximate"]): void {
    this.approximate = swap(this.approximate, approximateNotice(notice));
  }

  showProblems(problems: PreviewModel["problems"]): void {
    const items = problems.map(({ severity, message, uri }) =>
      el(
        "li",
        { class: severity, "data-severity": severity },
        message,
        uri === null
          ? null
          : button(t("Open"), () => {
              send({ type: "open", uri, line: 0 });
            }, { class: "link" }),
      ),
    );
    this.problems = swap(this.problems, problemList(items));
  }
}

function approximateNotice(notice: PreviewModel["approximate"]): HTMLElement {
  const action = notice?.action;
  const fix = action
    ? button(action, () => {
        send({ type: "makeExact" });
      }, { class: "link" })
    : null;
  return el("div", { id: "approximate", class: "notice info", hidden: notice === null }, notice?.text ?? "", " ", fix);
}

function problemList(items: readonly HTMLElement[]): HTMLElement {
  const label = t("Prompt problems");
  return el("ul", { id: "problems", "aria-label": label, hidden: items.length === 0 }, ...items);
}
