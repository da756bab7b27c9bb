// The list of "Developer: Show Running Extensions".

/** A window that shows all rows of the list. */
export const TALL = { width: 1200, height: 2400 };

/** The rows in the list of running extensions. */
export function running(vscode) {
  return vscode.page.locator(".runtime-extensions-editor .monaco-list-row");
}
