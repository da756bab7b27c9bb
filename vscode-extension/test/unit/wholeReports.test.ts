/** A report whose conversion was canceled is dropped: the library keeps its first findings only. */
import assert from "node:assert/strict";
import Module from "node:module";
import { after, before, test } from "node:test";

type Load = (name: string, ...rest: unknown[]) => unknown;
type Middleware = typeof import("../../src/server/wholeReports").WHOLE_REPORTS;

class CancellationError extends Error {}

const loader = Module as unknown as { _load: Load };
const load = loader._load;
let middleware: Required<Middleware>;

before(async () => {
  loader._load = (name, ...rest) => (name === "vscode" ? { CancellationError } : load(name, ...rest));
  middleware = (await import("../../src/server/wholeReports")).WHOLE_REPORTS as Required<Middleware>;
});
after(() => {
  loader._load = load;
});

test("a report that was canceled while it was converted is not shown", async () => {
  const token = { isCancellationRequested: false };
  const convert = () => {
    token.isCancellationRequested = true;
    return Promise.resolve({ kind: "full", resultId: "1", items: [{}] });
  };
  const report = middleware.provideDiagnostics({} as never, undefined, token as never, convert as never);
  await assert.rejects(Promise.resolve(report), CancellationError);
});

test("a whole report is shown", async () => {
  const token = { isCancellationRequested: false };
  const whole = { kind: "full", resultId: "1", items: [{}] };
  const report = await middleware.provideDiagnostics(
    {} as never, undefined, token as never, (() => whole) as never,
  );
  assert.equal(report, whole);
});

test("a canceled report of the workspace is not shown", async () => {
  const token = { isCancellationRequested: false };
  const shown: unknown[] = [];
  const next = (_previous: unknown, _token: unknown, report: (chunk: unknown) => void) => {
    report("first");
    token.isCancellationRequested = true;
    report("second");
    return { items: [] };
  };
  await middleware.provideWorkspaceDiagnostics(
    [], token as never, ((chunk: unknown) => shown.push(chunk)), next as never,
  );
  assert.deepEqual(shown, ["first"]);
});
