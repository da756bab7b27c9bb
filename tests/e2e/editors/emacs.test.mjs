import path from "node:path";
import test from "node:test";
import { checkEditor } from "./editor.mjs";

test("Emacs with eglot shows the command line's findings and remembers a line", () => {
  // Not -Q: Debian's site-start puts the package eglot on the load path.
  checkEditor({
    command: ["emacs", "-q", "--batch", "-l", path.join(import.meta.dirname, "emacs.el")],
    setup: "agent-memory.el",
    columns: (before) => [...before].length,
  });
});
