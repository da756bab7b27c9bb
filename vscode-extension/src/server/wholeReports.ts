/** Middleware that drops half-converted reports of findings. */
import * as vscode from "vscode";
import type { DiagnosticProviderMiddleware } from "vscode-languageclient";

/** Delay of diagnostics after a keystroke, in milliseconds: too short to notice. */
const DELAY_MS = 30;

/**
 * The library converts a long report in steps and stops when the pull is canceled. It then shows the
 * findings converted so far, and remembers the report as complete: the server answers the next pull
 * with "unchanged", and the other findings never appear. So such a report is dropped.
 */
export const WHOLE_REPORTS: DiagnosticProviderMiddleware = {
  provideDiagnostics: async (document, previous, token, next) => {
    // An open preview is updated first: it shows what is being typed.
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    throwIfCanceled(token);
    const report = await next(document, previous, token);
    throwIfCanceled(token);
    return report;
  },
  provideWorkspaceDiagnostics: (previous, token, report, next) =>
    next(previous, token, (chunk) => {
      if (!token.isCancellationRequested) {
        report(chunk);
      }
    }),
};

/** @throws {vscode.CancellationError} The client has canceled the pull, and pulls again. */
function throwIfCanceled(token: vscode.CancellationToken): void {
  if (token.isCancellationRequested) {
    throw new vscode.CancellationError();
  }
}
