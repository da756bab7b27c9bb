// Paths. The tests write only below .cache/ and in temporary folders.
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
export const CACHE = path.join(ROOT, ".cache");
export const SHOTS = path.join(CACHE, "shots");
/** An extensions folder with the VSIX installed (see `run`). */
export const EXTENSIONS = path.join(CACHE, "e2e", "extensions");
export const CODE_SERVER = path.join(CACHE, "code-server", "bin", "code-server");
/** A Chromium profile with the workbench's scripts in its caches (see `warm.mjs`). */
export const WARM_PROFILE = path.join(CACHE, "e2e", "chromium");
/** The Node that code-server was built for. */
export const NODE_BIN = path.join(CACHE, "code-server", "bin");
/** An empty virtual environment: no pip and none of our dependencies. */
export const BARE_PYTHON = path.join(CACHE, "e2e", "python", "bin");
/** Our command line, to compare with. */
export const AGENT_MEMORY = path.join(ROOT, ".venv", "bin", "agent-memory");
/** A Python with the optional package `mcp`. */
export const PYTHON_WITH_MCP = path.join(ROOT, ".venv", "bin", "python");
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
