// Modal dialogs: the workbench refuses to draw them while tests run, so they are answered where our
// extension asks for them. How they look is seen in the journeys.
const assert = require("node:assert/strict");
const { createRequire } = require("node:module");
const path = require("node:path");
const { EXTENSION } = require("./record");
const { until } = require("./support");

/** The editor's API as our extension has it: each extension is given an object of its own. */
const { window } = createRequire(path.join(EXTENSION.extensionPath, "dist", "extension.js"))("vscode");

/** Dialogs that wait for their answer. */
const open = [];

for (const name of ["showInformationMessage", "showWarningMessage", "showErrorMessage"]) {
  const show = window[name];
  window[name] = (message, options, ...buttons) =>
    options?.modal
      ? new Promise((answer) => open.push({ said: `${message}\n${options.detail ?? ""}`, buttons, answer }))
      : show.call(window, message, options, ...buttons);
}

/** Answer the dialog that says `text`; "Cancel" leaves it without an answer. Returns all it said. */
exports.answer = async (text, button) => {
  const dialog = await until(`the dialog '${text}'`, () => open.find(({ said }) => said.includes(text)));
  open.splice(open.indexOf(dialog), 1);
  assert.ok(button === "Cancel" || dialog.buttons.includes(button), dialog.buttons.join(", "));
  dialog.answer(button === "Cancel" ? undefined : button);
  return dialog.said;
};
