/** Whose prompt this is: badge, pickers and legend, in a section that scrolls and can be closed. */
import { t } from "../l10n";
import type { Frame, Picker, Pickers } from "../preview/messages";
import { button, el } from "./dom";
import { pageState, savePageState, send } from "./vscodeApi";

/** A panel of less height starts with the section closed, so that it shows the prompt. */
const MIN_OPEN_HEIGHT = 420;

export function renderSetup(model: Frame, pickers: Pickers, goToKind: (kind: string) => void): HTMLDetailsElement {
  const open = pageState.setupOpen ?? window.innerHeight >= MIN_OPEN_HEIGHT;
  const setup = el(
    "details",
    { id: "setup", open },
    el(
      "summary",
      {},
      el("b", {}, model.runtimeTitle),
      " ",
      el(
        "span",
        { id: "badge", class: "badge", title: model.badge.detail, "data-exactness": model.badge.exactness },
        model.badge.text,
      ),
    ),
    el("div", { class: "row controls" }, ...pickers.map(picker), model.canVerify ? verify(model) : null),
    legend(model, goToKind),
  );
  setup.addEventListener("toggle", () => {
    if (setup.isConnected && setup.open !== open) {
      pageState.setupOpen = setup.open;
      savePageState();
    }
  });
  return setup;
}

function verify(model: Frame): HTMLElement {
  const title = t("Start {0} once and compare what it sends with this preview", model.runtimeTitle);
  return button(t("Verify with the Agent"), () => {
    send({ type: "verify" });
  }, { class: "link", "data-action": "verify", title });
}

function picker({ key, label, chosen, groups }: Picker): HTMLElement {
  const options = groups.map(({ name, choices }) => {
    const items = choices.map(({ value, text }) => el("option", { value, selected: value === chosen }, text));
    return name === "" ? items : [el("optgroup", { label: name }, ...items)];
  });
  const select = el("select", { "aria-label": label, "data-picker": key }, ...options.flat());
  select.addEventListener("change", () => {
    send({ type: "pick", key, value: select.value });
  });
  return select;
}

function legend(model: Frame, goToKind: (kind: string) => void): HTMLElement {
  const items = model.parts.map((part) => {
    const item = button("", () => {
      goToKind(part.kind);
    }, { class: "part", "data-kind": part.kind, title: t("Go to the first segment") });
    item.append(el("i", { class: "dot", "data-kind": part.kind, "data-approximate": part.approximate }), part.text);
    return item;
  });
  return el("div", { id: "legend", class: "row legend" }, ...items, el("span", {}, model.size));
}
