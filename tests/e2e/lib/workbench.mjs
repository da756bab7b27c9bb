// User actions in the VS Code workbench.
import { until } from "./sandbox.mjs";

export class Workbench {
  constructor(page, sandbox, origin) {
    this.page = page;
    this.sandbox = sandbox;
    this.origin = origin;
  }

  /** Open a folder, by default the project; `null` opens a window without a folder. */
  async enter(folder = this.sandbox.workspace) {
    const query = folder ? `?folder=${encodeURIComponent(folder)}` : "?ew=true";
    await this.page.goto(`${this.origin}/${query}`);
    await this.page.locator(".monaco-workbench").waitFor({ timeout: 60_000 });
  }

  /** Open a workspace file. */
  async enterWorkspace(file) {
    await this.page.goto(`${this.origin}/?workspace=${encodeURIComponent(file)}`);
    await this.page.locator(".monaco-workbench").waitFor({ timeout: 60_000 });
  }

  get trustButton() {
    return this.page.getByRole("button", { name: /Yes, I trust the authors/i });
  }

  async trust() {
    await this.trustButton.click();
    await this.trustButton.waitFor({ state: "hidden" });
  }

  async distrust() {
    await this.page.getByRole("button", { name: /No, I don't trust/i }).click();
  }

  /** Open a file by its path and move the cursor to `line` (from 1). */
  async open(name, line = 1) {
    await this.#openPick("Control+p");
    await this.#fillPick(this.sandbox.at(name));
    // The list first shows recently opened files: wait until the right row is selected.
    await this.page
      .locator(".quick-input-list .monaco-list-row.focused", { hasText: name.split("/").at(-1) })
      .waitFor();
    await this.page.keyboard.press("Enter");
    const tab = this.page.locator(".tabs-container .tab.active", {
      hasText: name.split("/").at(-1),
    });
    await tab.waitFor();
    await this.page.locator(".editor-group-container.active .view-lines").first().waitFor();
    await this.goTo(line);
  }

  /** Move the cursor of the active editor to a line and column, both from 1. */
  async goTo(line, column = 1) {
    await this.#openPick("Control+g");
    await this.#fillPick(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.pickInput.waitFor({ state: "hidden" });
  }

  /** Move the cursor to the line with `text`. A reloading panel may steal the focus, so repeat. */
  async focusLine(text) {
    await until(`the editor with '${text}' has the focus`, async () => {
      await this.line(text, "").click(); // the panel's group may be active
      await this.page.waitForTimeout(500);
      return this.page.locator(".editor-group-container.active .view-lines").first().isVisible();
    });
  }

  /** Select whole lines of the active editor, `from` to `to`, both from 1. */
  async selectLines(from, to = from) {
    await this.goTo(from);
    await this.page.keyboard.press("Home");
    for (let line = from; line < to; line += 1) {
      await this.page.keyboard.press("Shift+ArrowDown");
    }
    await this.page.keyboard.press("Shift+End");
  }

  /**
   * Run a command of the palette by its full title.
   *
   * An open palette does not list commands that an extension adds, and closes when a loading panel
   * takes the focus: close it and open it again.
   */
  async command(title) {
    await until(`the palette lists '${title}'`, async () => {
      await this.#openPick("F1");
      await this.#fillPick(`>${title}`);
      return this.#row(title).click({ timeout: 10_000 }).then(
        () => true,
        () => this.page.keyboard.press("Escape"),
      );
    }, 60_000);
  }

  /** Save the item that "Remember This" shows; `title` is part of the question. */
  async saveItem(title = "Save to") {
    await this.page.locator(".quick-input-title", { hasText: title }).waitFor();
    await this.page.keyboard.press("Enter");
    await this.pickInput.waitFor({ state: "hidden" });
  }

  /**
   * Click on `target` until `shown` is visible. A row that is updated between the press and the
   * release of the button is selected, but ignores the click.
   */
  async click(target, shown, options = {}) {
    await until(`the effect of a click on ${target}`, async () => {
      await target.click({ timeout: 5_000, ...options }).catch(() => {});
      return shown.waitFor({ timeout: 5_000 }).then(() => true, () => false);
    });
  }

  /** The status bar item, once it shows a number of tokens. */
  get tokens() {
    return this.page.locator('.statusbar-item[id="agent-memory.agent-memory.agentMemory.tokens"]', { hasText: /\d/ });
  }

  get pickInput() {
    return this.page.locator(".quick-input-widget input:visible").first();
  }

  #row(text) {
    return this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first();
  }

  /** A key pressed while a panel is reloading is lost: repeat it. */
  async #openPick(key) {
    await until(`${key} opens a pick`, async () => {
      await this.page.keyboard.press(key);
      return this.pickInput.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
  }

  async #fillPick(text) {
    await this.pickInput.waitFor();
    await this.pickInput.fill(text);
  }

  /** Select an entry of an open quick pick. */
  async pick(text) {
    await this.pickInput.fill(text);
    await this.#row(text).waitFor();
    await this.#row(text).click();
  }

  /**
   * Right-click on the line with `text` and follow `labels` through the menus.
   *
   * A change of the focus closes a menu: open it again. It ignores clicks during its first 100 ms:
   * click until it closes.
   */
  async contextMenu(text, labels, beforeLast = async () => {}) {
    await this.contextMenuOf(this.line(text).locator("span span").first(), labels, beforeLast);
  }

  /** The same in the context menu of the element `target`. */
  async contextMenuOf(target, labels, beforeLast = async () => {}) {
    const item = this.#menuItem(labels.at(-1));
    await until(`the menu shows ${labels.at(-1)}`, async () => {
      if (!(await this.#menuItem(labels[0]).isVisible())) {
        await target.click({ button: "right" });
      }
      for (const label of labels.slice(0, -1)) {
        await this.#menuItem(label).hover({ timeout: 3_000 }).catch(() => {});
      }
      return item.waitFor({ timeout: 3_000 }).then(() => true, () => false);
    });
    await beforeLast();
    await until(`the menu closes on ${labels.at(-1)}`, async () => {
      await this.page.waitForTimeout(150);
      if (await item.isVisible()) {
        await item.click({ timeout: 2_000 }).catch(() => {});
      }
      return !(await item.isVisible());
    });
  }

  /** Select a refactoring at the cursor. New findings of the file close the list: open it again. */
  async refactor(title, beforeLast = async () => {}) {
    const item = this.page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
    await until(`the refactoring '${title}' is offered`, async () => {
      await this.command("Refactor...");
      return item.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    });
    await beforeLast();
    await this.page.waitForTimeout(150); // as with menus
    await item.click();
    await item.waitFor({ state: "hidden" });
  }

  /** Open the quick fixes at the cursor; returns the row of `title`. New findings close the list. */
  async quickFix(title) {
    const item = this.page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
    await until(`the quick fix '${title}' is offered`, async () => {
      await this.page.keyboard.press("Control+.");
      const shown = item.waitFor({ timeout: 10_000 }).then(() => true);
      return shown.catch(async () => {
        await this.page.keyboard.press("Escape");
        return false;
      });
    });
    return item;
  }

  #menuItem(label) {
    return this.page.locator(".monaco-menu .action-item", { hasText: label }).last();
  }

  /** The rendered line with `text`, by default in the active group. Spaces are no-break spaces. */
  line(text, group = ".active") {
    const pattern = text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", ".");
    return this.page
      .locator(`.editor-group-container${group} .view-line`)
      .filter({ hasText: new RegExp(pattern) })
      .first();
  }

  squiggle(kind) {
    return this.page.locator(`.monaco-editor .squiggly-${kind}`).first();
  }

  async showProblems() {
    await this.page.keyboard.press("Control+Shift+m");
    await this.page.locator(".markers-panel").waitFor();
  }

  problem(text) {
    return this.page.locator(".markers-panel .monaco-list-row", { hasText: text }).first();
  }

  /** Show the hover at the cursor; returns its locator. */
  async hoverAtCursor() {
    await this.page.keyboard.press("Control+k");
    await this.page.keyboard.press("Control+i");
    const hover = this.page.locator(".monaco-hover:visible").first();
    await hover.waitFor();
    return hover;
  }

  notification(text) {
    return this.page.locator(".notification-toast, .notifications-center .notification-list-item", {
      hasText: text,
    }).first();
  }

  /** A modal dialog of the workbench. */
  dialog(text) {
    return this.page.locator(".monaco-dialog-box", { hasText: text });
  }

  async type(text) {
    await this.page.keyboard.type(text, { delay: 10 });
  }

  async save() {
    await this.page.keyboard.press("Control+s");
    await this.page.locator(".editor-group-container.active .tab.active:not(.dirty)").waitFor();
  }

  async undo() {
    await this.page.keyboard.press("Control+z");
  }

  /** Select a color theme by its name. */
  async theme(name) {
    await this.command("Preferences: Color Theme");
    await this.pick(name);
    await this.pickInput.waitFor({ state: "hidden" });
  }

  async showPreview() {
    await this.command("Agent Memory: Preview Prompt");
    await this.panel.locator(".line").first().waitFor();
  }

  /** Fold the texts of the runtime, which belong to its authors and are in no picture; go to the top. */
  async foldTemplates() {
    const open = this.panel.locator('.segment[data-kind="template"] button', { hasText: /^Hide$/ });
    while ((await open.count()) > 0) {
      await open.first().click();
    }
    await this.panel.locator("html").evaluate((html) => html.scrollTo(0, 0));
  }

  /** Click an icon in the title of the preview's group, which the editor shows for the active group. */
  async panelAction(label) {
    await this.panel.locator("#header").click();
    const icon = this.page.locator(`.editor-group-container.active .editor-actions .action-label[aria-label^="${label}"]`);
    await icon.click();
  }

  /** The text of the panel: rows near the viewport and plain text elsewhere. */
  async panelText() {
    return this.panel.locator("body").evaluate((body) => {
      const rows = (chunk) => [...chunk.children].map((line) => `${line.textContent}\n`);
      const textOf = (segment) => {
        const chunks = [...segment.querySelectorAll(".chunk")];
        const text = chunks.map((item) => rows(item).join("") || item.textContent).join("");
        return segment.dataset.endsWithNewline === undefined ? text.slice(0, -1) : text;
      };
      return [...body.querySelectorAll(".segment .lines")].map(textOf).join("");
    });
  }

  /** The cursor position in the status bar. */
  get position() {
    return this.page.locator("#status\\.editor\\.selection");
  }

  /** The document inside the visible webview. */
  get panel() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }
}
