// Modal dialogs: the workbench does not show them during tests, so they are answered where our
// extension opens them. The journeys cover the real dialogs.
const assert = require("node:assert/strict");
const { createRequire } = require("node:module");
const path = require("node:path");
const { EXTENSION } = require("./usage");
const { until } = require("./support");

/** The editor's API object of our extension: each extension has its own. */
const { window } = createRequire(path.join(EXTENSION.extensionPath, "dist", "extension.js"))("vscode");

/** Unanswered dialogs. */
const open = [];

for (const name of ["showInformationMessage", "showWarningMessage", "showErrorMessage"]) {
  const show = window[name];
  window[name] = (message, options, ...buttons) =>
    options?.modal
      ? new Promise((answer) => open.push({ text: `${message}\n${options.detail ?? ""}`, buttons, answer }))
      : show.call(window, message, options, ...buttons);
}

/** Answer the dialog that contains `text`; "Cancel" dismisses it. Returns its full text. */
exports.answer = async (text, button) => {
  const dialog = await until(`the dialog '${text}'`, () => open.find((item) => item.text.includes(text)));
  open.splice(open.indexOf(dialog), 1);
  assert.ok(button === "Cancel" || dialog.buttons.includes(button), dialog.buttons.join(", "));
  dialog.answer(button === "Cancel" ? undefined : button);
  return dialog.text;
};
