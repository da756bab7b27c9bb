/**
 * Keyboard navigation between lines.
 *
 * One line is in the tab order at a time. Arrows, Page Up/Down, Home and End move the selection, Enter
 * goes to the source, `w` (or Alt+F1) explains the line.
 */
import type { LinePosition, Segments } from "./segments";

const PAGE_LINES = 20;

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE_LINES,
  PageUp: -PAGE_LINES,
  Home: -Infinity,
  End: Infinity,
};

export interface LineActions {
  open(at: LinePosition): void;
  explain(at: LinePosition): void;
}

export class LineFocus {
  private current: HTMLElement | undefined;
  private at: LinePosition | undefined;

  constructor(
    private readonly segments: Segments,
    private readonly actions: LineActions,
  ) {
    const root = segments.element;
    root.addEventListener("keydown", (event) => {
      this.key(event);
    });
    root.addEventListener("click", (event) => {
      this.click(event);
    });
    root.addEventListener("focusin", (event) => {
      const row = rowAt(event.target);
      if (row) {
        this.select(row);
      }
    });
  }

  /** The selected line. */
  get selected(): LinePosition | undefined {
    return this.at;
  }

  /** Restore the selection after rendering; falls back to the first line. */
  restore(): void {
    if (this.current?.isConnected && !isHidden(this.current)) {
      this.at = positionOf(this.current);
      return;
    }
    const hadFocus = document.activeElement === document.body && this.current !== undefined;
    const before = this.at && this.segments.row(this.at);
    const same = before && !isHidden(before) ? before : undefined;
    const first = this.segments.move({ segment: 0, line: 0 }, -Infinity);
    const row = same ?? (first && this.segments.row(first));
    if (row) {
      this.select(row);
      if (hadFocus && same) {
        same.focus({ preventScroll: true });
      }
    }
  }

  private key(event: KeyboardEvent): void {
    const row = rowAt(event.target);
    if (!row) {
      return;
    }
    const at = positionOf(row);
    if (event.key === "Enter") {
      this.actions.open(at);
    } else if ((event.key === "w" || (event.key === "F1" && event.altKey)) && !event.ctrlKey && !event.metaKey) {
      this.actions.explain(at);
    } else if (!this.move(at, event.key)) {
      return;
    }
    event.preventDefault();
  }

  private move(at: LinePosition, key: string): boolean {
    const step = STEPS[key];
    const target = step === undefined ? undefined : this.segments.move(at, step);
    if (!target) {
      return false;
    }
    this.segments.row(target)?.focus();
    return true;
  }

  private click(event: MouseEvent): void {
    const row = rowAt(event.target);
    const selecting = document.getSelection()?.isCollapsed === false;
    if (row && !selecting && event.button === 0) {
      this.select(row);
      this.actions.open(positionOf(row));
    }
  }

  private select(row: HTMLElement): void {
    this.current?.setAttribute("tabindex", "-1");
    this.current?.setAttribute("aria-selected", "false");
    row.setAttribute("tabindex", "0");
    row.setAttribute("aria-selected", "true");
    this.current = row;
    this.at = positionOf(row);
  }
}

function rowAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement ? target.closest<HTMLElement>(".line") : null;
}

function positionOf(row: HTMLElement): LinePosition {
  const segment = row.closest<HTMLElement>("[data-segment]")?.dataset.segment;
  return { segment: Number(segment), line: Number(row.dataset.line) };
}

function isHidden(row: HTMLElement): boolean {
  return row.closest("[hidden]") !== null;
}
