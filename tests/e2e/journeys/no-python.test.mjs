// Without Python: one message with a button for the setting; the editor stays usable.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

const options = { ...PROJECT, python: false, expectedErrors: /no usable Python|needs Python 3.11/ };

journey("no-python", "without Python there is one message with a choice of interpreters", options, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.open(".deepagents/agent.md");
  const message = vscode.notification("Python 3.11");
  await message.waitFor();
  await shot("1-message");
  assert.equal(await page.locator(".notification-toast").count(), 1);

  await message.getByRole("button", { name: "Choose Python" }).click();
  const choices = page.locator(".quick-input-list .monaco-list-row");
  await choices.filter({ hasText: "Enter a Path" }).waitFor();
  await shot("2-choices");
  await choices.filter({ hasText: "Open Setting" }).click();
  const setting = page.locator(".settings-editor .setting-item", { hasText: "Interpreter" });
  await setting.waitFor();
  await shot("3-setting");
  await page.keyboard.press("Escape");
  await setting.waitFor({ state: "hidden" });

  await vscode.open("src/tides.py");
  await vscode.type("# still an editor\n");
  await vscode.line("still an editor").waitFor();
});
