/** Notices above the prompt: server state, agents with an older prompt, problems. */
import { t } from "../l10n";
import type { StaleNotice } from "../preview/messages";
import type { PreviewModel } from "../preview/model";
import type { ServerState } from "../server/state";
import { button, el, swap } from "./dom";
import { send } from "./vscodeApi";

export class Notices {
  readonly element: HTMLElement;
  private readonly server = el("div", { class: "notice", id: "server", role: "status", hidden: true });
  private readonly failure = el("div", { class: "notice error", id: "failure", role: "alert", hidden: true });
  private readonly stale = el("div", { class: "notice", id: "stale", role: "status", hidden: true });
  private problems = problemList([]);

  constructor() {
    this.element = el("div", { id: "notices" }, this.server, this.failure, this.stale, this.problems);
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

function problemList(items: readonly HTMLElement[]): HTMLElement {
  const label = t("Prompt problems");
  return el("ul", { id: "problems", "aria-label": label, hidden: items.length === 0 }, ...items);
}
