/** Requests the prompt as a patch of the previous one: a key in 10,000 lines transfers one letter. */
import type { Prompt, PromptInfo, PromptParams, PromptPatch } from "../protocol";
import { promptPatchRequest } from "../protocol";
import type { LanguageServer } from "../server/server";

/** A prompt as the panel shows it. */
export type ShownPrompt = Prompt & PromptInfo;

export class IncrementalPrompt {
  private previous = { id: "", text: "" };

  constructor(private readonly server: Pick<LanguageServer, "request">) {}

  async request(params: PromptParams): Promise<ShownPrompt | undefined> {
    const { previous } = this;
    const answer = await this.server.request(promptPatchRequest, { ...params, since: previous.id });
    if (!answer) {
      return undefined;
    }
    const prompt = applyPatch(answer, answer.patch.base === previous.id ? previous.text : "");
    this.previous = { id: answer.patch.id, text: prompt.text };
    return prompt;
  }
}

/** The prompt that results from applying the patch to the text `before`. */
export function applyPatch({ patch, ...answer }: PromptPatch, before: string): ShownPrompt {
  const text = before.slice(0, patch.at) + patch.text + before.slice(patch.at + patch.removed);
  let end = 0;
  const segments = answer.segments.map(({ units, ...segment }) => {
    end += units;
    return { ...segment, text: text.slice(end - units, end) };
  });
  return { ...answer, text, segments };
}
