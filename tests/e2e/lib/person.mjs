// A person at the workbench, for the suite in the extension host: what cannot be seen or done
// through the extension API is read from the page and clicked there.
import http from "node:http";
import { until } from "./world.mjs";

/** What the person can do. Arguments and answers are plain JSON. */
class Person {
  constructor(vscode) {
    this.vscode = vscode;
    this.page = vscode.page;
  }

  /** The texts of the rows of a view whose section is called `view`. */
  async rows(view) {
    return this.#rows(view).allTextContents();
  }

  /** What a view says where it has no rows: its welcome or its message. */
  async words(view) {
    return this.#pane(view).innerText();
  }

  /** Expand a row, with the keyboard. */
  async expand(view, row) {
    await this.#row(view, row).click();
    await this.page.keyboard.press("ArrowRight");
  }

  /** Put the keyboard's place on a row without opening it, then press `keys`. */
  async pressOn(view, row, ...keys) {
    await this.#row(view, row).waitFor();
    await this.#pane(view).locator(".monaco-list").focus();
    await this.page.keyboard.press("Home");
    await until(`the keyboard's place is '${row}'`, async () => {
      const place = this.#pane(view).locator(".monaco-list-row.focused", { hasText: row });
      if ((await place.count()) > 0) {
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
    // A view that is drawn anew takes the icons away from under the mouse.
    const icon = this.#row(view, row).locator(`.action-label[aria-label*="${label}"]`);
    await until(`${label} on ${row}`, async () => {
      await this.#row(view, row).hover();
      return icon.click({ timeout: 1_000 }).then(
        () => true,
        () => false,
      );
    });
  }

  /** The entries of the menu of a row; one of them is chosen where `label` is given. */
  async rowMenu(view, row, label) {
    await this.#row(view, row).click({ button: "right" });
    return this.#menu(label);
  }

  /** Click an icon in the title of a view. */
  async viewAction(view, label) {
    await this.#pane(view).locator(".pane-header").hover();
    await this.#pane(view).locator(`.pane-header .action-label[aria-label*="${label}"]`).click();
  }

  /** As `rowMenu`, for the menu "…" in the title of a view. */
  async viewMenu(view, label) {
    await this.viewAction(view, "More Actions");
    return this.#menu(label);
  }

  /** Click a link of a welcome view. */
  async welcome(view, label) {
    await this.#pane(view).locator(".monaco-button, a", { hasText: label }).first().click();
  }

  /** Answer a modal dialog; returns what it said. */
  async answer(text, button) {
    const dialog = this.vscode.dialog(text);
    await dialog.waitFor();
    const said = await dialog.innerText();
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    return said;
  }

  /** Answer a notification, or only read it where no button is named. */
  async notification(text, button) {
    const notification = this.vscode.notification(text);
    await notification.waitFor();
    const said = await notification.innerText();
    if (button) {
      await notification.getByRole("button", { name: button, exact: true }).click();
    }
    return said;
  }

  /** The texts of the notifications that are shown. */
  async toasts() {
    return this.page.locator(".notification-toast").allTextContents();
  }

  /** The rows of an open quick pick, once one of them holds `text`; that one is chosen if so asked. */
  async pick(text, choose = false) {
    const rows = this.page.locator(".quick-input-list .monaco-list-row");
    const row = rows.filter({ hasText: text }).first();
    await row.waitFor();
    const all = await rows.allTextContents();
    if (choose) {
      await row.click();
    }
    return all;
  }

  async type(text) {
    await this.vscode.type(text);
  }

  /** Fill in an input of the workbench and press Enter. */
  async typeInto(selector, text) {
    await this.page.locator(selector).first().fill(text);
    await this.page.keyboard.press("Enter");
  }

  async press(key) {
    await this.page.keyboard.press(key);
  }

  /** The text of what `selector` finds in the preview. */
  async panel(selector) {
    return this.vscode.panel.locator(selector).first().innerText();
  }

  async panelClick(selector, label) {
    await this.vscode.panel.locator(selector).first().click(label ? { button: "right" } : {});
    return label && this.#menu(label);
  }

  /** Focus what `selector` finds in the preview, and press `key`. */
  async panelPress(selector, key) {
    await this.vscode.panel.locator(selector).first().focus();
    await this.page.keyboard.press(key);
  }

  /** Open the menu on the line of the editor that holds `text`, and go through `labels`. */
  async editorMenu(text, ...labels) {
    await this.vscode.contextMenu(text, labels);
  }

  /** What our entry says in the status of the active editor's language. */
  async languageStatus() {
    await this.page.locator('.statusbar-item[id="status.languageStatus"]').hover();
    const entry = this.page.locator(".hover-language-status", { hasText: "Preview Prompt" }).first();
    await entry.waitFor();
    const said = await entry.innerText();
    await this.page.mouse.move(0, 0);
    await entry.waitFor({ state: "hidden" });
    return said;
  }

  /** What the output panel shows. Spaces are drawn as no-break spaces. */
  async log() {
    return (await this.sees(".output-view .view-lines")).replaceAll("\u00a0", " ");
  }

  /** What stands in the workbench at `selector` of the page. */
  async sees(selector) {
    await this.page.locator(selector).first().waitFor();
    return this.page.locator(selector).first().innerText();
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

  /** Menus listen to the mouse only some 100 ms after they are drawn. */
  async #menu(label) {
    const items = this.page.locator(".monaco-menu .action-item:not(.disabled) .action-label:not(.separator)");
    await items.first().waitFor();
    const labels = await items.allTextContents();
    await this.page.waitForTimeout(300);
    if (label) {
      await items.filter({ hasText: label }).first().click();
    } else {
      await this.page.keyboard.press("Escape");
    }
    await items.first().waitFor({ state: "hidden" });
    return labels;
  }
}

/** Let `vscode` be asked over HTTP on loopback: `POST /<act>` with the arguments as JSON. */
export async function servePerson(vscode) {
  const person = new Person(vscode);
  const server = http.createServer(async (request, response) => {
    const chunks = await request.toArray();
    const answer = await act(person, request.url.slice(1), JSON.parse(Buffer.concat(chunks)));
    response.end(JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function act(person, name, args) {
  try {
    return { value: await person[name](...args) };
  } catch (error) {
    return { error: `${name}(${args.join(", ")}): ${error.message}` };
  }
}
