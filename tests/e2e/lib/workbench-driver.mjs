// Drives the workbench for the suite in the extension host: reads and clicks in the page what the
// extension API does not provide.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { SHOTS } from "./paths.mjs";
import { until } from "./sandbox.mjs";

/** The available actions. Arguments and results are plain JSON. */
class WorkbenchDriver {
  constructor(vscode) {
    this.vscode = vscode;
    this.page = vscode.page;
  }

  /** The texts of the rows of the view `view`. */
  async rows(view) {
    return this.#rows(view).allTextContents();
  }

  /** The text of a view: its rows, welcome content or message. */
  async text(view) {
    return this.#pane(view).innerText();
  }

  /** Expand a row with the keyboard. */
  async expand(view, row) {
    await this.#row(view, row).click();
    await this.page.keyboard.press("ArrowRight");
  }

  /** Focus a row without opening it, then press `keys`. */
  async pressOn(view, row, ...keys) {
    await this.#row(view, row).waitFor();
    await this.#pane(view).locator(".monaco-list").focus();
    await this.page.keyboard.press("Home");
    await until(`the row '${row}' has the focus`, async () => {
      const focused = this.#pane(view).locator(".monaco-list-row.focused", { hasText: row });
      if ((await focused.count()) > 0) {
        return true;
      }
      await this.page.keyboard.press("ArrowDown");
      return false;
    });
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** Click one of the icons of a row. */
  async rowAction(view, row, label) {
    // A view that is updated replaces the icons under the mouse: repeat. A click on a busy machine
    // can have its effect, such as removing the row, although it timed out.
    const icon = this.#row(view, row).locator(`.action-label[aria-label*="${label}"]`);
    let clicked = false;
    await until(`${label} on ${row}`, async () => {
      const isHere = () => this.#row(view, row).waitFor({ timeout: 3_000 }).then(() => true, () => false);
      if (clicked && !(await isHere())) {
        return true; // gone for good, not only while the view is updated
      }
      await this.page.mouse.move(0, 0); // the tooltip of a row can cover its icons
      await this.#row(view, row).hover({ timeout: 2_000 }).catch(() => {});
      clicked ||= await icon.isVisible();
      return icon.click({ timeout: 2_000 }).then(() => true, () => false);
    });
  }

  /** What a screen reader says for a row. */
  async rowLabel(view, row) {
    return (await this.#row(view, row).getAttribute("aria-label")) ?? "";
  }

  /** The text of a row's tooltip. */
  async rowHover(view, row) {
    const hover = this.page.locator(".monaco-hover:visible, .workbench-hover:visible").first();
    await until(`the tooltip of ${row}`, async () => {
      await this.page.mouse.move(0, 0);
      await this.#row(view, row).hover();
      return hover.waitFor({ timeout: 3_000 }).then(() => true, () => false);
    });
    const said = await hover.innerText();
    await this.page.mouse.move(0, 0);
    return said;
  }

  /** The entries of a row's context menu; selects `label` if given. */
  async rowMenu(view, row, label) {
    return this.#menu(label, () => this.#row(view, row).click({ button: "right", timeout: 5_000 }));
  }

  /** Click an icon in the title of a view. */
  async viewAction(view, label) {
    await this.#pane(view).locator(".pane-header").hover();
    await this.#pane(view).locator(`.pane-header .action-label[aria-label*="${label}"]`).click();
  }

  /** Like `rowMenu`, for the menu "…" in the title of a view. */
  async viewMenu(view, label) {
    return this.#menu(label, () => this.viewAction(view, "More Actions"));
  }

  /** Click a link of a welcome view. */
  async welcome(view, label) {
    await this.#pane(view).locator(".monaco-button, a", { hasText: label }).first().click();
  }

  /** Answer a modal dialog; returns its text. */
  async answer(text, button) {
    const dialog = this.vscode.dialog(text);
    await dialog.waitFor();
    const said = await dialog.innerText();
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    return said;
  }

  /** The text of a notification; clicks the button whose name contains `button` if given. */
  async notification(text, button) {
    const notification = this.vscode.notification(text);
    await notification.waitFor();
    const said = await notification.innerText();
    if (button) {
      await notification.getByRole("button", { name: button }).click();
    }
    return said;
  }

  /** The texts of the visible notifications. */
  async toasts() {
    return this.page.locator(".notification-toast").allTextContents();
  }

  /**
   * The rows of an open quick pick, once one contains `text`, at the latest after `timeout`
   * milliseconds; selects that row if `choose`.
   */
  async pick(text, choose = false, timeout = undefined) {
    const rows = this.page.locator(".quick-input-list .monaco-list-row");
    const row = rows.filter({ hasText: text }).first();
    await row.waitFor({ timeout });
    const all = await rows.allTextContents();
    if (choose) {
      await row.click();
    }
    return all;
  }

  /** Wait for a question with `title`. */
  async question(title) {
    await this.page.locator(".quick-input-title", { hasText: title }).waitFor();
  }

  async saveItem(title) {
    await this.vscode.saveItem(title);
  }

  async type(text) {
    await this.vscode.type(text);
  }

  /** Fill an input of the workbench and press Enter. */
  async typeInto(selector, text) {
    await this.page.locator(selector).first().fill(text);
    await this.page.keyboard.press("Enter");
  }

  async press(key) {
    await this.page.keyboard.press(key);
  }

  /** The text of the element `selector` in the preview. */
  async panel(selector) {
    return this.vscode.panel.locator(selector).first().innerText();
  }

  /** Select an option of a drop-down list of the preview. */
  async panelPick(key, value) {
    await this.vscode.panel.locator(`[data-picker="${key}"]`).selectOption(value);
  }

  async panelAction(label) {
    await this.vscode.panelAction(label);
  }

  async panelClick(selector, label) {
    const element = this.vscode.panel.locator(selector).first();
    return label ? this.#menu(label, () => element.click({ button: "right" })) : element.click();
  }

  /** Focus the element `selector` in the preview and press `key`. */
  async panelPress(selector, key) {
    await this.vscode.panel.locator(selector).first().focus();
    await this.page.keyboard.press(key);
  }

  /** Open the context menu on the editor line with `text` and follow `labels`. */
  async editorMenu(text, ...labels) {
    await this.vscode.contextMenu(text, labels);
  }

  /** The text of our language status entry for the active editor. */
  async languageStatus() {
    await this.page.locator('.statusbar-item[id="status.languageStatus"]').hover();
    const entry = this.page.locator(".hover-language-status", { hasText: "Preview Prompt" }).first();
    await entry.waitFor();
    const said = await entry.innerText();
    await this.page.mouse.move(0, 0);
    await entry.waitFor({ state: "hidden" });
    return said;
  }

  /** The text of the output panel. Spaces are rendered as no-break spaces. */
  async output() {
    return (await this.visibleText(".output-view .view-lines")).replaceAll("\u00a0", " ");
  }

  /** The text of the element `selector` in the page. */
  async visibleText(selector) {
    await this.page.locator(selector).first().waitFor();
    return this.page.locator(selector).first().innerText();
  }

  /** The computed style `property` of the pseudo-element `pseudo` of `selector`. */
  async visibleStyle(selector, pseudo, property) {
    const element = this.page.locator(selector).first();
    return element.evaluate((item, [name, key]) => window.getComputedStyle(item, name)[key], [pseudo, property]);
  }

  #pane(view) {
    return this.page.locator(".sidebar .pane").filter({
      has: this.page.locator(".pane-header", { hasText: view }),
    });
  }

  #rows(view) {
    return this.#pane(view).locator(".monaco-list-row");
  }

  #row(view, text) {
    return this.#rows(view).filter({ hasText: text }).first();
  }

  get #menuItems() {
    return this.page.locator(".monaco-menu .action-item:not(.disabled) .action-label:not(.separator)");
  }

  /**
   * The entries of the menu that `open` opens; selects `label` if given.
   *
   * A menu ignores clicks during its first 100 ms, and closes when its view is updated: open it again
   * until the click has closed it.
   */
  async #menu(label, open) {
    const items = this.#menuItems;
    const isSoon = (waiting) => waiting.then(() => true, () => false);
    let labels = [];
    await until(`the menu with ${label ?? "any entry"}`, async () => {
      if (!(await items.first().isVisible())) {
        await open().catch(() => {});
      }
      if (!(await isSoon(items.first().waitFor({ timeout: 5_000 })))) {
        return false;
      }
      labels = await items.allTextContents();
      await this.page.waitForTimeout(300);
      if (!label) {
        return true;
      }
      const item = items.filter({ hasText: label }).first();
      const clicked = await isSoon(item.click({ timeout: 3_000 }));
      return clicked && isSoon(items.first().waitFor({ state: "hidden", timeout: 10_000 }));
    });
    if (!label) {
      await this.page.keyboard.press("Escape");
      await items.first().waitFor({ state: "hidden" });
    }
    return labels;
  }
}

/** Serve the actions over HTTP on loopback: `POST /<action>` with the arguments as JSON. */
export async function serveDriver(vscode) {
  const driver = new WorkbenchDriver(vscode);
  const server = http.createServer(async (request, response) => {
    const chunks = await request.toArray();
    const answer = await act(driver, request.url.slice(1), JSON.parse(Buffer.concat(chunks)));
    response.end(JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function act(driver, name, args) {
  try {
    return { value: await driver[name](...args) };
  } catch (error) {
    const folder = path.join(SHOTS, "extension-host-failed");
    fs.mkdirSync(folder, { recursive: true });
    await driver.page.screenshot({ path: path.join(folder, `${name}.png`) }).catch(() => {});
    return { error: `${name}(${args.join(", ")}): ${error.message}` };
  }
}
