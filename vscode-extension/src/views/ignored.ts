/** The files that the user does not want to see in the view, kept with the workspace. */
const KEY = "ignoredSources";

/** What is used of an editor's memento. */
export interface Memento {
  get<T>(key: string, otherwise: T): T;
  update(key: string, value: unknown): Thenable<void>;
}

export class Ignored {
  constructor(private readonly state: Memento) {}

  has(uri: string): boolean {
    return this.state.get<string[]>(KEY, []).includes(uri);
  }

  /** Whether there is any. */
  get any(): boolean {
    return this.state.get<string[]>(KEY, []).length > 0;
  }

  async add(uri: string): Promise<void> {
    const all = new Set([...this.state.get<string[]>(KEY, []), uri]);
    await this.state.update(KEY, [...all]);
  }

  async clear(): Promise<void> {
    await this.state.update(KEY, undefined);
  }
}
