/** The segments in order, each with header and lines; unchanged elements are kept. */
import { t } from "../l10n";
import type { Mark } from "../preview/segmentView";
import type { SegmentHead, SegmentUpdate } from "../preview/pageUpdates";
import { button, el } from "./dom";
import { pageState, savePageState, send } from "./vscodeApi";
import { Lines } from "./lines";

/** Template segments with more lines are folded initially: they are the runtime's own text. */
const MAX_UNFOLDED_LINES = 12;

/** A line of the page; both numbers start at 0. */
export interface LinePosition {
  segment: number;
  line: number;
}

export class Segments {
  readonly element = el("div", { id: "segments" });
  private shown: Segment[] = [];

  /** Apply the updates; returns whether anything changed. */
  update(updates: readonly SegmentUpdate[]): boolean {
    for (const removed of this.shown.splice(updates.length)) {
      removed.dispose();
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

  /** Remove all segments. */
  clear(): void {
    this.update([]);
  }

  get(index: number): Segment | undefined {
    return this.shown[index];
  }

  get heads(): SegmentHead[] {
    return this.shown.flatMap(({ head }) => head ?? []);
  }

  row({ segment, line }: LinePosition): HTMLElement | undefined {
    return this.shown[segment]?.lines.row(line);
  }

  /** The row of a line, the title of a folded segment. */
  visibleRow(at: LinePosition): HTMLElement | undefined {
    const segment = this.shown[at.segment];
    return segment?.folded === false ? this.row(at) : segment?.element;
  }

  /** The element that shows a line at the top: its row, or the title above a first line. */
  elementAt(at: LinePosition): HTMLElement | undefined {
    return at.line === 0 ? this.shown[at.segment]?.element : this.visibleRow(at);
  }

  /** The first line that comes from a file. */
  first(uri: string): LinePosition | undefined {
    const segment = this.shown.find(({ head, lines }) => head?.uri === uri && lines.count > 0);
    return segment && { segment: segment.index, line: 0 };
  }

  /** The line that comes from a line of a file, else the last one from before it. */
  find(uri: string, sourceLine: number): LinePosition | undefined {
    let found: LinePosition | undefined;
    for (const { head, index, lines } of this.shown) {
      const line = sourceLine - (head?.startLine ?? Infinity);
      if (head?.uri === uri && line >= 0 && lines.count > 0) {
        found = { segment: index, line: Math.min(line, lines.count - 1) };
      }
    }
    return found;
  }

  /** Mark the line at which the user is, in the editor or here. */
  setCurrent(at: LinePosition | undefined): void {
    for (const { index, lines } of this.shown) {
      lines.setCurrent(index === at?.segment ? at.line : undefined);
    }
  }

  /** The line at the distance `step`, skipping folded segments; clamped to the first and last line. */
  move(from: LinePosition, step: number): LinePosition | undefined {
    const unfolded = this.shown.filter((item) => !item.folded && item.lines.count > 0);
    let rest = from.line + step;
    for (const item of unfolded) {
      rest += item.index < from.segment ? item.lines.count : 0;
    }
    for (const item of unfolded) {
      if (rest < item.lines.count || item === unfolded.at(-1)) {
        return { segment: item.index, line: Math.min(Math.max(rest, 0), item.lines.count - 1) };
      }
      rest -= item.lines.count;
    }
    return undefined;
  }
}

/** One segment of the prompt. */
export class Segment {
  readonly lines = new Lines();
  readonly element: HTMLElement;
  head: SegmentHead | undefined;
  marks: readonly Mark[] = [];
  private readonly message = el("p", { class: "message", hidden: true });
  private readonly title = el("h2", { class: "origin" });
  private readonly truncation = el("p", { class: "truncation", hidden: true });
  private readonly fold = button("", () => {
    pageState.folded[this.key] = !this.folded;
    savePageState();
    this.renderFold();
  }, { class: "fold" });

  constructor(readonly index: number) {
    this.element = el("section", { class: "segment", "data-segment": index }, this.message, this.title, this.lines.element, this.truncation);
  }

  get folded(): boolean {
    const long = this.head?.kind === "template" && this.lines.count > MAX_UNFOLDED_LINES;
    return pageState.folded[this.key] ?? long;
  }

  update({ head, marks, lines, endsWithNewline }: SegmentUpdate): void {
    if (lines) {
      this.lines.patch(lines);
    }
    if (endsWithNewline !== undefined) {
      this.lines.setEndsWithNewline(endsWithNewline);
    }
    if (marks) {
      this.marks = marks;
      this.lines.setMarks(marks);
    }
    if (head) {
      this.head = head;
      this.lines.setHead(head);
      this.renderHead(head);
    }
    if (lines ?? marks ?? head) {
      this.renderFold();
      this.lines.decorate();
    }
  }

  dispose(): void {
    this.lines.dispose();
    this.element.remove();
  }

  private get key(): string {
    return `${this.head?.kind ?? ""}:${this.head?.path ?? this.index}`;
  }

  private renderHead(head: SegmentHead): void {
    const { element } = this;
    element.dataset.kind = head.kind;
    // Landmarks need unique names, hence the number.
    element.setAttribute("aria-label", `${this.index + 1}. ${head.name} ${head.path ?? ""}`.trim());
    const webviewSection = head.uri === null ? "templateLine" : "line";
    element.dataset.vscodeContext = JSON.stringify({ webviewSection, segment: this.index });
    if (head.uri === null) {
      delete element.dataset.uri;
    } else {
      element.dataset.uri = head.uri;
    }
    this.message.textContent = head.message;
    this.message.hidden = head.message === "";
    this.title.replaceChildren(
      el("b", {}, head.name),
      ...link(head),
      el("span", { class: "note" }, head.note),
      this.fold,
    );
    this.truncation.textContent = head.truncation;
    this.truncation.hidden = head.truncation === "";
  }

  private renderFold(): void {
    const { folded } = this;
    const { count } = this.lines;
    this.lines.element.hidden = folded;
    this.fold.hidden = count < 2;
    this.fold.setAttribute("aria-expanded", String(!folded));
    const action = folded ? t("Show {0} lines", count) : t("Hide");
    this.fold.textContent = action;
    // The visible text comes first, as voice control requires; the file follows.
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
