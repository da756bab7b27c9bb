/** The page header: title, badge, pickers, buttons, budget bar and legend. */
import { t } from "../l10n";
import type { Frame, Pickers } from "../preview/messages";
import { button, el } from "./dom";
import { send } from "./vscodeApi";

export function renderHeader(
  model: Frame,
  pickers: Pickers,
  revealed: boolean,
  goToKind: (kind: string) => void,
): HTMLElement {
  return el(
    "header",
    { id: "header" },
    el(
      "div",
      { class: "row" },
      el("h1", {}, t("Prompt Preview")),
      el(
        "span",
        { id: "badge", class: "badge", title: model.badge.detail, "data-exactness": model.badge.exactness },
        model.badge.text,
      ),
      el("span", { class: "grow" }),
      el("span", { id: "total", class: model.overBudget ? "over" : "" }, model.total),
    ),
    el(
      "div",
      { class: "row controls" },
      runtimePicker(model, pickers),
      agentPicker(model, pickers),
      actions(model, revealed),
    ),
    bar(model),
    legend(model, goToKind),
  );
}

function actions(model: Frame, revealed: boolean): HTMLElement {
  const reveal = button(
    revealed ? t("Mask Secrets") : t("Reveal Secrets"),
    () => {
      send({ type: "reveal", value: !revealed });
    },
    { "data-action": "reveal", hidden: !model.masked && !revealed },
  );
  const simple = [
    ["compare", t("Compare…")],
    ["openText", t("Open as Text")],
    ["copy", t("Copy")],
  ] as const;
  return el(
    "div",
    { class: "row actions", role: "toolbar", "aria-label": t("Actions") },
    ...simple.map(([type, label]) =>
      button(label, () => {
        send({ type });
      }, { "data-action": type }),
    ),
    reveal,
  );
}

function runtimePicker(model: Frame, pickers: Pickers): HTMLElement {
  const auto =
    pickers.runtime === "auto" ? t("automatic: {0}", model.runtime) : t("automatic");
  const options = pickers.runtimes.map(({ id, title }) => [id, title] as const);
  return picker("runtime", t("Runtime"), pickers.runtime, [["auto", auto], ...options]);
}

function agentPicker(model: Frame, pickers: Pickers): HTMLElement {
  const auto = pickers.agent === "auto" ? t("automatic: {0}", model.agent) : t("automatic");
  const options = pickers.agents.map((name) => [name, name] as const);
  return picker("agent", t("Agent"), pickers.agent, [["auto", auto], ...options]);
}

function picker(
  key: "runtime" | "agent",
  label: string,
  chosen: string,
  options: readonly (readonly [string, string])[],
): HTMLElement {
  const select = el(
    "select",
    { "aria-label": label, "data-picker": key },
    ...options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)),
  );
  select.addEventListener("change", () => {
    send({ type: "pick", key, value: select.value });
  });
  return select;
}

function bar(model: Frame): HTMLElement {
  const spoken = model.parts.map((part) => `${part.name} ${part.tokens}`).join(", ");
  return el(
    "div",
    {
      id: "bar",
      class: model.overBudget ? "bar over" : "bar",
      role: "img",
      "aria-label": `${model.total}: ${spoken}`,
    },
    ...model.parts.map((part) => {
      const section = el("i", { "data-kind": part.kind });
      section.style.width = `${part.share * 100}%`;
      return section;
    }),
  );
}

function legend(model: Frame, goToKind: (kind: string) => void): HTMLElement {
  const number = new Intl.NumberFormat(document.body.dataset.locale);
  return el(
    "div",
    { id: "legend", class: "row legend" },
    ...model.parts.map((part) => {
      const item = button("", () => {
        goToKind(part.kind);
      }, { class: "part", "data-kind": part.kind, title: t("Go to the first segment") });
      item.append(el("i", { class: "dot", "data-kind": part.kind }), `${part.name} ${number.format(part.tokens)}`);
      return item;
    }),
  );
}
