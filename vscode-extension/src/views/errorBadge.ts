/** The badge on the activity bar: the number of errors in memory files, also in closed ones. */
import * as vscode from "vscode";
import { errorsText } from "../countTexts";

/** Keep the badge of `view` current. */
export function showErrorBadge(view: vscode.TreeView<unknown>): vscode.Disposable {
  const counts = new Map<string, number>();
  const update = (uris: readonly vscode.Uri[]) => {
    for (const uri of uris) {
      const count = vscode.languages.getDiagnostics(uri).filter(isError).length;
      if (count > 0) {
        counts.set(uri.toString(), count);
      } else {
        counts.delete(uri.toString());
      }
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (total !== (view.badge?.value ?? 0)) {
      view.badge = total > 0 ? { value: total, tooltip: errorsText(total) } : undefined;
    }
  };
  update(vscode.languages.getDiagnostics().map(([uri]) => uri));
  return vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    update(uris);
  });
}

function isError({ source, severity }: vscode.Diagnostic): boolean {
  return source === "agent-memory" && severity === vscode.DiagnosticSeverity.Error;
}
