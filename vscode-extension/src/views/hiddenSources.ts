/** The files that the user has hidden from the Sources view, stored with the workspace. */
const KEY = "hiddenSources";

/** The used part of the editor's memento. */
export interface Memento {
  get<T>(key: string, defaultValue: T): T;
  update(key: string, value: unknown): Thenable<void>;
}

export class HiddenSources {
  constructor(private readonly state: Memento) {}

  has(uri: string): boolean {
    return this.state.get<string[]>(KEY, []).includes(uri);
  }

  /** Whether any file is hidden. */
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
