/** The custom messages of the language server (docs/protocol.md). */
import type { Range, WorkspaceEdit } from "vscode-languageclient/node";

export type Scope = "user" | "project";

/** Which project, runtime and agent a question is about. */
export interface Place {
  uri?: string;
  runtime?: string;
  agent?: string;
}

export interface PromptParams extends Place {
  /** Ignore unsaved buffers. */
  saved?: boolean;
  /** Take files as git's HEAD has them. */
  committed?: boolean;
  /** Return secrets as they are. */
  reveal?: boolean;
}

export type SegmentKind =
  | "template"
  | "user"
  | "project"
  | "root"
  | "skills"
  | "entries"
  | "base";

/** A piece of the prompt. Lines count from 0 and are set where the piece comes from a file. */
export interface Segment {
  kind: SegmentKind;
  text: string;
  label: string;
  path: string | null;
  uri: string | null;
  startLine: number | null;
  endLine: number | null;
  bytes: number;
  tokens: number;
}

export type SourceStatus =
  | "loaded"
  | "listed"
  | "missing"
  | "empty"
  | "shadowed"
  | "truncated"
  | "unreadable"
  | "ignored";

export interface Source {
  path: string;
  uri: string;
  scope: string;
  role: string;
  status: SourceStatus;
  reason: string;
  order: number | null;
  name: string;
  bytes: number;
  tokens: number;
}

export interface PromptProblem {
  message: string;
  path: string | null;
  uri: string | null;
  severity: "error" | "warning" | "info";
}

export interface Prompt {
  runtime: string;
  title: string;
  runtimeReason: string;
  agent: string;
  agentReason: string;
  version: string;
  exactness: "exact" | "unverified" | "own-wording";
  origin: string;
  text: string;
  masked: boolean;
  hash: string;
  bytes: number;
  tokens: number;
  budget: number;
  segments: Segment[];
  sources: Source[];
  problems: PromptProblem[];
}

/** The project of an answer, and what may be picked for it. */
export interface About {
  root: string | null;
  runtimes: { id: string; title: string }[];
  agents: string[];
  /** A digest of all that is said beside the text. */
  state: string;
}

/** What is new of a prompt since the text `since`; "" is the empty text. */
export interface NewsParams extends PromptParams {
  since: string;
}

/** A prompt told by a patch of the text `base`. `units` are a segment's length in UTF-16 units. */
export interface PromptNews extends Omit<Prompt, "text" | "segments">, About {
  segments: (Omit<Segment, "text"> & { units: number })[];
  patch: { id: string; base: string; at: number; removed: number; text: string };
}

export interface Sources extends About {
  runtime: string;
  title: string;
  runtimeReason: string;
  agent: string;
  agentReason: string;
  sources: Source[];
}

export interface RememberParams extends Place {
  text: string;
  /** Where to file it: the memory file of a scope, or a file by its address. */
  scope?: Scope;
  file?: string;
  section?: string;
  origin?: { uri: string; range: Range; languageId: string };
  redact?: boolean;
  anyway?: boolean;
  create?: boolean;
}

export interface RememberPlan {
  outcome: "ready" | "duplicate" | "secret" | "consent" | "refused";
  message: string;
  target: { uri: string; line: number; section: string; exists: boolean } | null;
  sections: { title: string; suggested: boolean }[];
  secrets: { kind: string; redacted: string }[];
  edit?: WorkspaceEdit | null;
  /** The items that make place for it. */
  evicts: string[];
  item: string;
}

/** A file that can be named as `file` of a `RememberParams`. */
export interface Target {
  path: string;
  uri: string;
  scope: string;
  role: string;
  /** That of a skill. */
  name: string;
  /** The one that reads it. */
  runtime: string;
  exists: boolean;
}

export interface RecallParams extends Place {
  query: string;
  limit?: number;
}

export interface Entry {
  id: string;
  scope: string;
  kind: string;
  summary: string;
  tags: string[];
  score: number;
  path: string;
  uri: string;
  body: string;
}

/** The prompt or its sources changed; `at` is in seconds since the epoch. */
export interface Changed {
  runtime: string;
  agent: string;
  root: string | null;
  hash: string;
  /** The hash of the prompt as it is on disk. */
  saved: string;
  /** As in the answers: while it is the same, they are up to date. */
  state: string;
  /** Grows with each change of the entries that were recalled, and of the folder they stand in. */
  entries: number;
  bytes: number;
  tokens: number;
  budget: number;
  errors: number;
  warnings: number;
  uris: string[];
  at: number;
}

/** A request by its method, with the types of its parameters and its answer. */
export interface Request<P, R> {
  readonly method: string;
  /** Only for the type checker. */
  readonly types?: (params: P) => R;
}

export const promptRequest: Request<PromptParams, Prompt & About> = { method: "agentMemory/prompt" };
export const newsRequest: Request<NewsParams, PromptNews> = { method: "agentMemory/prompt" };
export const sourcesRequest: Request<Place, Sources> = { method: "agentMemory/sources" };
export const rememberRequest: Request<RememberParams, RememberPlan> = {
  method: "agentMemory/remember",
};
export const targetsRequest: Request<Place, { targets: Target[] }> = {
  method: "agentMemory/targets",
};
export const recallRequest: Request<RecallParams, { entries: Entry[] }> = {
  method: "agentMemory/recall",
};
export const statusRequest: Request<object, Record<string, unknown>> = {
  method: "agentMemory/status",
};
export const CHANGED = "agentMemory/changed";
