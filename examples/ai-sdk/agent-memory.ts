import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { LanguageModelMiddleware } from "ai";

const run = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

/** Returns a middleware that puts the memory of the project at `cwd` into the system message. */
export function agentMemory(cwd = process.cwd(), command = "agent-memory"): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    async transformParams({ params }) {
      const { stdout: memory } = await run(command, ["prompt", "--cwd", cwd], { maxBuffer });
      if (memory === "") return params;
      const [first, ...rest] = params.prompt;
      if (first?.role !== "system") {
        return { ...params, prompt: [{ role: "system", content: memory }, ...params.prompt] };
      }
      const content = `${memory}\n\n${first.content}`;
      return { ...params, prompt: [{ ...first, content }, ...rest] };
    },
  };
}
