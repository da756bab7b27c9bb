import path from "node:path";
import test from "node:test";
import { checkEditor } from "./editor.mjs";

test("Neovim shows the command line's findings and remembers a line", () => {
  const script = path.join(import.meta.dirname, "neovim.lua");
  checkEditor({
    command: ["nvim", "--headless", "--clean", "-c", `luafile ${script}`],
    setup: "agent-memory.lua",
    columns: (before) => Buffer.byteLength(before),
  });
});
