/** In an editor without the newer API nothing is registered, and nothing fails. */
import assert from "node:assert/strict";
import Module from "node:module";
import { after, before, test } from "node:test";

type Load = (name: string, ...rest: unknown[]) => unknown;

const loader = Module as unknown as { _load: Load };
const load = loader._load;
/** What VS Code 1.91 has of the used parts. */
const OLD = {
  Disposable: class {
    constructor(readonly dispose: () => void) {}
  },
};

before(() => {
  loader._load = (name, ...rest) => (name === "vscode" ? OLD : load(name, ...rest));
});
after(() => {
  loader._load = load;
});

test("without tools for language models a tool is not registered", async () => {
  const { registerTool } = await import("../../src/tools/api");
  const tool = { prepareInvocation: () => ({ invocationMessage: "" }), invoke: () => Promise.resolve("") };
  assert.ok(registerTool("agentMemory_remember", tool) instanceof OLD.Disposable);
});

test("without MCP no server is offered", async () => {
  const { offerMcpServer } = await import("../../src/mcp");
  assert.deepEqual(offerMcpServer({} as never, {} as never), []);
});
