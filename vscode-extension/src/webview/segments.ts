/** The segments in order, each with its header and lines; what did not change stays as it stands. */
import { t } from "../l10n";
import type { Mark } from "../preview/model";
import type { SegmentHead, SegmentUpdate } from "../preview/updates";
import { button, el } from "./dom";
import { keep, kept, send } from "./host";
import { Lines } from "./lines";

/** A template piece of more lines than this is folded at first: it is the runtime's own text. */
const FOLDED_FROM = 12;

/** A place in the page; both count from 0. */
export interface At {
  segment: number;
  line: number;
}

export class Segments {
  readonly element = el("div", { id: "segments" });
  private shown: Segment[] = [];

  /** Show what is new; returns whether anything is. */
  update(updates: readonly SegmentUpdate[]): boolean {
    for (const gone of this.shown.splice(updates.length)) {
      gone.dispose();
    }
    const before = this.shown.length;
    updates.forEach((update, index) => {
      const segment = (this.shown[index] ??= new Segment(index));
      segment.update(update);
      if (index >= before) {
        this.element.append(segment.element);
      }
    });
    return before !== updates.length || updates.some((item) => Object.keys(item).length > 0);
  }

  /** The page begins anew. */
  clear(): void {
    this.update([]);
  }

  get(index: number): Segment | undefined {
    return this.shown[index];
  }

  get heads(): SegmentHead[] {
    return this.shown.flatMap(({ head }) => head ?? []);
  }

  row({ segment, line }: At): HTMLElement | undefined {
    return this.shown[segment]?.lines.row(line);
  }

  /** The line `step` lines on, over the segments that are not folded; the first or last at the end. */
  move(from: At, step: number): At | undefined {
    const open = this.shown.filter((item) => !item.folded && item.lines.count > 0);
    let rest = from.line + step;
    for (const item of open) {
      rest += item.index < from.segment ? item.lines.count : 0;
    }
    for (const item of open) {
      if (rest < item.lines.count || item === open.at(-1)) {
        return { segment: item.index, line: Math.min(Math.max(rest, 0), item.lines.count - 1) };
      }
      rest -= item.lines.count;
    }
    return undefined;
  }
}

/** One piece of the prompt. */
export class Segment {
  readonly lines = new Lines();
  readonly element: HTMLElement;
  head: SegmentHead | undefined;
  marks: readonly Mark[] = [];
  private readonly title = el("h2", { class: "origin" });
  private readonly cut = el("p", { class: "cut", hidden: true });
  private readonly fold = button("", () => {
    kept.folded[this.key] = !this.folded;
    keep();
    this.drawFold();
  }, { class: "fold" });

  constructor(readonly index: number) {
    this.element = el("section", { class: "segment", "data-segment": index }, this.title, this.lines.element, this.cut);
  }

  get folded(): boolean {
    const long = this.head?.kind === "template" && this.lines.count > FOLDED_FROM;
    return kept.folded[this.key] ?? long;
  }

  update({ head, marks, lines, ended }: SegmentUpdate): void {
    if (lines) {
      this.lines.patch(lines);
    }
    if (ended !== undefined) {
      this.lines.setEnded(ended);
    }
    if (marks) {
      this.marks = marks;
      this.lines.setMarks(marks);
    }
    if (head) {
      this.head = head;
      this.lines.setHead(head);
      this.drawHead(head);
    }
    if (lines ?? marks ?? head) {
      this.drawFold();
      this.lines.dress();
    }
  }

  dispose(): void {
    this.lines.dispose();
    this.element.remove();
  }

  private get key(): string {
    return `${this.head?.kind ?? ""}:${this.head?.path ?? this.index}`;
  }

  private drawHead(head: SegmentHead): void {
    const { element } = this;
    element.dataset.kind = head.kind;
    // The number tells pieces of one name apart, as landmarks must be.
    element.setAttribute("aria-label", `${this.index + 1}. ${head.name} ${head.path ?? ""}`.trim());
    const webviewSection = head.uri === null ? "templateLine" : "line";
    element.dataset.vscodeContext = JSON.stringify({ webviewSection, segment: this.index });
    if (head.uri === null) {
      delete element.dataset.uri;
    } else {
      element.dataset.uri = head.uri;
    }
    this.title.replaceChildren(
      el("b", {}, head.name),
      ...link(head),
      el("span", { class: "note" }, head.note),
      this.fold,
    );
    this.cut.textContent = head.cut;
    this.cut.hidden = head.cut === "";
  }

  private drawFold(): void {
    const { folded } = this;
    const { count } = this.lines;
    this.lines.element.hidden = folded;
    this.fold.hidden = count < 2;
    this.fold.setAttribute("aria-expanded", String(!folded));
    const action = folded ? t("Show {0} lines", count) : t("Hide");
    this.fold.textContent = action;
    // What is seen comes first, so that it can be said to open it; what it is about follows.
    this.fold.setAttribute("aria-label", `${action}: ${this.head?.path ?? this.head?.name ?? ""}`);
  }
}

function link({ uri, path, startLine }: SegmentHead): HTMLElement[] {
  if (uri === null || path === null) {
    return [];
  }
  const open = () => {
    send({ type: "open", uri, line: startLine ?? 0 });
  };
  return [button(path, open, { class: "link" })];
}
