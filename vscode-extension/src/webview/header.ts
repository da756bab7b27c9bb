/** The sticky line: the size of the prompt and its bar. Everything else scrolls. */
import { t } from "../l10n";
import type { Frame } from "../preview/messages";
import { el } from "./dom";

export function renderHeader(model: Frame): HTMLElement {
  return el(
    "header",
    { id: "header" },
    el("h1", { class: "spoken" }, t("Prompt Preview")),
    el("span", { id: "total", class: model.overBudget ? "over" : "", title: model.size }, model.total),
    bar(model),
  );
}

function bar(model: Frame): HTMLElement {
  const spoken = model.parts.map((part) => `${part.name} ${part.tokens}`).join(", ");
  return el(
    "div",
    {
      id: "bar",
      class: model.overBudget ? "bar over" : "bar",
      role: "img",
      "aria-label": `${model.size}: ${spoken}`,
    },
    ...model.parts.map((part) => {
      const section = el("i", { "data-kind": part.kind, "data-approximate": part.approximate });
      section.style.width = `${part.share * 100}%`;
      return section;
    }),
  );
}
