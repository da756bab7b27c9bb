/**
 * Moving among lines with the keyboard.
 *
 * One line can be tabbed to at a time; arrows, Page and Home/End keys move on, Enter goes to the
 * source, `w` (or Alt+F1) asks why the line is there.
 */
const PAGE = 20;

export interface LineActions {
  open(line: HTMLElement): void;
  explain(line: HTMLElement): void;
}

export class LineFocus {
  private current: HTMLElement | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly actions: LineActions,
  ) {
    root.addEventListener("keydown", (event) => {
      this.key(event);
    });
    root.addEventListener("click", (event) => {
      this.click(event);
    });
    root.addEventListener("focusin", (event) => {
      const line = lineAt(event.target);
      if (line) {
        this.choose(line);
      }
    });
  }

  /** After the lines were drawn anew: keep the place, or let the first line take the focus. */
  restore(): void {
    if (this.current?.isConnected && !isHidden(this.current)) {
      return;
    }
    const hadFocus = document.activeElement === document.body && this.current !== undefined;
    const at = this.current?.dataset.line;
    const segment = this.current?.closest("[data-segment]")?.getAttribute("data-segment");
    const again = this.root.querySelector<HTMLElement>(
      `[data-segment="${segment ?? ""}"] [data-line="${at ?? ""}"]`,
    );
    const line = again ?? this.lines()[0];
    if (line) {
      this.choose(line);
      if (hadFocus && again) {
        again.focus({ preventScroll: true });
      }
    }
  }

  private key(event: KeyboardEvent): void {
    const line = lineAt(event.target);
    if (!line) {
      return;
    }
    if (event.key === "Enter") {
      this.actions.open(line);
    } else if ((event.key === "w" || (event.key === "F1" && event.altKey)) && !event.ctrlKey && !event.metaKey) {
      this.actions.explain(line);
    } else if (!this.move(line, event.key)) {
      return;
    }
    event.preventDefault();
  }

  private move(line: HTMLElement, key: string): boolean {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE,
      PageUp: -PAGE,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[key];
    if (step === undefined) {
      return false;
    }
    const lines = this.lines();
    const target = Math.min(Math.max(lines.indexOf(line) + step, 0), lines.length - 1);
    lines[target]?.focus();
    return true;
  }

  private click(event: MouseEvent): void {
    const line = lineAt(event.target);
    const selecting = document.getSelection()?.isCollapsed === false;
    if (line && !selecting && event.button === 0) {
      this.choose(line);
      this.actions.open(line);
    }
  }

  private choose(line: HTMLElement): void {
    this.current?.setAttribute("tabindex", "-1");
    this.current?.setAttribute("aria-selected", "false");
    line.setAttribute("tabindex", "0");
    line.setAttribute("aria-selected", "true");
    this.current = line;
  }

  private lines(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>(".lines:not([hidden]) .line")];
  }
}

function lineAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement ? target.closest<HTMLElement>(".line") : null;
}

function isHidden(line: HTMLElement): boolean {
  return line.closest("[hidden]") !== null;
}
