/** The editor's diagnostics for the lines of a file, as marks of the preview. */
import * as vscode from "vscode";
import type { Mark } from "./segmentView";

const SOURCE = "agent-memory";
const SEVERITIES: Record<vscode.DiagnosticSeverity, Mark["severity"]> = {
  [vscode.DiagnosticSeverity.Error]: "error",
  [vscode.DiagnosticSeverity.Warning]: "warning",
  [vscode.DiagnosticSeverity.Information]: "info",
  [vscode.DiagnosticSeverity.Hint]: "info",
};

/** The findings on lines `first` to `last`, both from 0. */
export function findingsOf(uri: string, first: number, last: number): Mark[] {
  return vscode.languages
    .getDiagnostics(vscode.Uri.parse(uri))
    .filter((item) => item.source === SOURCE)
    .map((item) => ({
      line: item.range.start.line,
      severity: SEVERITIES[item.severity],
      message: item.message,
    }))
    .filter((mark) => mark.line >= first && mark.line <= last);
}
