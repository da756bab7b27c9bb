/** Which prompt the panel shows: project, runtime and agent, and whether secrets are revealed. */
import type { PromptParams, RequestContext } from "../protocol";

/** The file or folder that selects the project, and the folder in which the agent starts. */
export type Place = Pick<RequestContext, "uri" | "cwd">;

export class PromptSelection {
  /** The values of the pickers; `auto` leaves the choice to the server. */
  choice: { runtime: string; agent: string } = { runtime: "auto", agent: "auto" };
  revealed = false;

  constructor(public place: Place) {}

  get context(): RequestContext {
    const { runtime, agent } = this.choice;
    return {
      ...this.place,
      ...(runtime === "auto" ? {} : { runtime }),
      ...(agent === "auto" ? {} : { agent }),
    };
  }

  get params(): PromptParams {
    return { ...this.context, ...(this.revealed ? { reveal: true } : {}) };
  }
}
