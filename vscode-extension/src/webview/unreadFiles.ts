/** The files that the runtime does not read, each with the reason. */
import type { UnreadView } from "../preview/model";
import { button, el } from "./dom";
import { send } from "./vscodeApi";

export function renderUnreadFiles(files: readonly UnreadView[]): HTMLElement {
  return el(
    "div",
    { id: "unread", hidden: files.length === 0 },
    ...files.map((file) =>
      el(
        "section",
        { class: "segment unread", "data-kind": "unread", "data-uri": file.uri, "aria-label": `${file.status} ${file.path}` },
        el(
          "h2",
          { class: "origin" },
          el("b", {}, file.status),
          button(file.path, () => {
            send({ type: "open", uri: file.uri, line: 0 });
          }, { class: "link" }),
          el("span", { class: "note" }, file.reason),
        ),
      ),
    ),
  );
}
