/** The prompt, asked for by what is new of it: a key in 10,000 lines is answered with a letter. */
import type { About, Prompt, PromptNews, PromptParams } from "../protocol";
import { newsRequest } from "../protocol";
import type { LanguageServer } from "../server/server";

/** A prompt as the panel shows it. */
export type Shown = Prompt & About;

export class PromptFeed {
  private last = { id: "", text: "" };

  constructor(private readonly server: Pick<LanguageServer, "request">) {}

  async ask(params: PromptParams): Promise<Shown | undefined> {
    const before = this.last;
    const news = await this.server.request(newsRequest, { ...params, since: before.id });
    if (!news) {
      return undefined;
    }
    const shown = whole(news, news.patch.base === before.id ? before.text : "");
    this.last = { id: news.patch.id, text: shown.text };
    return shown;
  }
}

/** The prompt that `news` makes of the text `before`. */
export function whole({ patch, ...news }: PromptNews, before: string): Shown {
  const text = before.slice(0, patch.at) + patch.text + before.slice(patch.at + patch.removed);
  let end = 0;
  const segments = news.segments.map(({ units, ...segment }) => {
    end += units;
    return { ...segment, text: text.slice(end - units, end) };
  });
  return { ...news, text, segments };
}
