/**
 * Moving among lines with the keyboard.
 *
 * One line can be tabbed to at a time; arrows, Page and Home/End keys move on, Enter goes to the
 * source, `w` (or Alt+F1) asks why the line is there.
 */
import type { At, Segments } from "./segments";

const PAGE = 20;

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: -Infinity,
  End: Infinity,
};

export interface LineActions {
  open(at: At): void;
  explain(at: At): void;
}

export class LineFocus {
  private current: HTMLElement | undefined;
  private at: At | undefined;

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
        this.choose(row);
      }
    });
  }

  /** The line that is chosen. */
  get place(): At | undefined {
    return this.at;
  }

  /** After lines were drawn anew: keep the place, or let the first line take the focus. */
  restore(): void {
    if (this.current?.isConnected && !isHidden(this.current)) {
      this.at = placeOf(this.current);
      return;
    }
    const hadFocus = document.activeElement === document.body && this.current !== undefined;
    const before = this.at && this.segments.row(this.at);
    const again = before && !isHidden(before) ? before : undefined;
    const first = this.segments.move({ segment: 0, line: 0 }, -Infinity);
    const row = again ?? (first && this.segments.row(first));
    if (row) {
      this.choose(row);
      if (hadFocus && again) {
        again.focus({ preventScroll: true });
      }
    }
  }

  private key(event: KeyboardEvent): void {
    const row = rowAt(event.target);
    if (!row) {
      return;
    }
    const at = placeOf(row);
    if (event.key === "Enter") {
      this.actions.open(at);
    } else if ((event.key === "w" || (event.key === "F1" && event.altKey)) && !event.ctrlKey && !event.metaKey) {
      this.actions.explain(at);
    } else if (!this.move(at, event.key)) {
      return;
    }
    event.preventDefault();
  }

  private move(at: At, key: string): boolean {
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
      this.choose(row);
      this.actions.open(placeOf(row));
    }
  }

  private choose(row: HTMLElement): void {
    this.current?.setAttribute("tabindex", "-1");
    this.current?.setAttribute("aria-selected", "false");
    row.setAttribute("tabindex", "0");
    row.setAttribute("aria-selected", "true");
    this.current = row;
    this.at = placeOf(row);
  }
}

function rowAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement ? target.closest<HTMLElement>(".line") : null;
}

function placeOf(row: HTMLElement): At {
  const segment = row.closest<HTMLElement>("[data-segment]")?.dataset.segment;
  return { segment: Number(segment), line: Number(row.dataset.line) };
}

function isHidden(row: HTMLElement): boolean {
  return row.closest("[hidden]") !== null;
}
