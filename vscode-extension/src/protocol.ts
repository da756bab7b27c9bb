/** The custom messages of the language server (docs/protocol.md). */
import type { Range, WorkspaceEdit } from "vscode-languageclient/node";

export type Scope = "user" | "project";

/** The project, runtime and agent of a request. */
export interface RequestContext {
  uri?: string;
  /** The folder in which the agent starts; by default that of `uri`. */
  cwd?: string;
  runtime?: string;
  agent?: string;
}

export interface PromptParams extends RequestContext {
  /** Ignore unsaved buffers. */
  saved?: boolean;
  /** Read files from git's HEAD. */
  committed?: boolean;
  /** Return secrets unmasked. */
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

/** A piece of the prompt. Lines count from 0 and are null unless it comes from a file. */
export interface Segment {
  kind: SegmentKind;
  text: string;
  label: string;
  path: string | null;
  uri: string | null;
  startLine: number | null;
  endLine: number | null;
  /** The index of its block; null for the blank line between two blocks. */
  block: number | null;
  bytes: number;
  tokens: number;
}

export type BlockRole = "system" | "developer" | "user";

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
  /** The texts of the request that stem from memory, in order. */
  blocks: { role: BlockRole }[];
  segments: Segment[];
  sources: Source[];
  problems: PromptProblem[];
}

export interface RuntimeInfo {
  id: string;
  title: string;
  /** Findings are judged for it, and a picker shows it first. */
  listed: boolean;
  /** Why it is listed, for example because it is installed. */
  reason: string;
}

/** The project of an answer and the available runtimes and agents. */
export interface PromptInfo {
  root: string | null;
  runtimes: RuntimeInfo[];
  /** A sentence if no agent was found, else empty. */
  runtimesNote: string;
  agents: string[];
  /** A digest of everything except the text. */
  state: string;
}

/** Requests the changes since the text with the id `since`; "" is the empty text. */
export interface PromptPatchParams extends PromptParams {
  since: string;
}

/** A prompt as a patch of the text `base`. `units` is a segment's length in UTF-16 code units. */
export interface PromptPatch extends Omit<Prompt, "text" | "segments">, PromptInfo {
  segments: (Omit<Segment, "text"> & { units: number })[];
  patch: { id: string; base: string; at: number; removed: number; text: string };
}

/** The answer without `all`. */
export type OwnSources = Omit<Sources, "files" | "complete">;

export interface Sources extends PromptInfo {
  runtime: string;
  title: string;
  runtimeReason: string;
  agent: string;
  agentReason: string;
  sources: Source[];
  /** Every known memory file, read or not. */
  files: KnownFile[];
  /** Whether the whole project was searched for them. */
  complete: boolean;
}

export interface SourcesParams extends RequestContext {
  /** Request `files` and `complete`, too. */
  all: true;
}

export type Outcome =
  | "loaded"
  | "on-demand"
  | "cut"
  | "comment-dropped"
  | "front-matter-dropped"
  | "not-followed"
  | "shadowed"
  | "empty"
  | "missing"
  | "unreadable"
  | "not-read";

/** What can be done about a file that is not read. */
export interface Action {
  message: string;
  kind: "create" | "open" | "runtime" | "advice";
  path?: string | null;
  uri?: string | null;
  line?: number | null;
  /** The text of the file to create. */
  text?: string | null;
  runtime?: string | null;
}

/** What one runtime does with a file or line. */
export interface Answer {
  runtime: string;
  title: string;
  outcome: Outcome;
  reason: string;
  action: Action | null;
}

export interface KnownFile {
  path: string;
  uri: string;
  scope: string;
  bytes: number;
  tokens: number;
  /** The agent that the file's name belongs to; "" if there are several. */
  madeFor: string;
  /** For the selected runtime. */
  outcome: Outcome;
  reason: string;
  action: Action | null;
}

export interface ExplainParams {
  uri: string;
  line?: number;
  runtime?: string;
  agent?: string;
}

export interface Explained {
  path: string;
  /** The path for people. */
  shown: string;
  runtimes: Answer[];
  runtimesNote: string;
}

/** The request of an agent compared with the preview. */
export interface Verified {
  equal: boolean;
  /** The result as a sentence. */
  outcome: string;
  /** What else was noticed, a sentence each. */
  remarks: string[];
  /** The first block that differs, in the preview and in the request; empty if they are equal. */
  texts: [string, string];
}

export interface RememberParams extends RequestContext {
  text: string;
  /** The target: the memory file of a scope, or a file by its URI. */
  scope?: Scope;
  file?: string;
  section?: string;
  origin?: { uri: string; range: Range; languageId: string } | undefined;
  redact?: boolean;
  allowDuplicate?: boolean;
  create?: boolean;
  /** An agent asks: instruction files and the memory of other agents are refused. */
  byAgent?: boolean;
}

export interface RememberPlan {
  outcome: "ready" | "duplicate" | "secret" | "consent" | "refused";
  message: string;
  target: { uri: string; line: number; section: string; exists: boolean } | null;
  sections: { title: string; suggested: boolean }[];
  secrets: { kind: string; redacted: string }[];
  edit?: WorkspaceEdit | null;
  /** The items that are removed to make room. */
  evicts: string[];
  item: string;
  /** Where the item is, for the user: the file, or its section. */
  place: string;
  /** What the user must know besides; part of the message. */
  notes: string[];
}

/** A file that is valid as `file` in `RememberParams`. */
export interface Target {
  path: string;
  uri: string;
  scope: string;
  role: string;
  /** The name of a skill. */
  name: string;
  /** The runtime that reads the file. */
  runtime: string;
  exists: boolean;
}

/** Alternatives of each kind; an omitted one is no condition. */
export interface EntryConditions {
  scopes?: string[];
  kinds?: string[];
  tags?: string[];
}

export interface RecallParams extends RequestContext, EntryConditions {
  query: string;
  limit?: number;
}

export interface EntriesParams extends RequestContext, EntryConditions {
  /** Days since the last change. */
  older?: number;
  /** Days since the last use. */
  unused?: number;
  /** The entries in the trash. */
  trash?: boolean;
}

export interface EntryParams extends RequestContext {
  id: string;
}

/** A command of the server, which takes one argument. */
export interface ServerCommand<P, R> {
  readonly command: string;
  /** Only for the type checker. */
  readonly types?: (params: P) => R;
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
export interface ChangeEvent {
  runtime: string;
  agent: string;
  root: string | null;
  hash: string;
  /** The hash of the saved prompt. */
  saved: string;
  /** As in the answers, which are current while it stays the same. */
  state: string;
  /** Increases with each change of the recalled entries or their folder. */
  entries: number;
  bytes: number;
  tokens: number;
  budget: number;
  errors: number;
  warnings: number;
  uris: string[];
  at: number;
}

/** A request: its method, and the types of its parameters and answer. */
export interface Request<P, R> {
  readonly method: string;
  /** Only for the type checker. */
  readonly types?: (params: P) => R;
}

export const promptRequest: Request<PromptParams, Prompt & PromptInfo> = { method: "agentMemory/prompt" };
export const promptPatchRequest: Request<PromptPatchParams, PromptPatch> = { method: "agentMemory/prompt" };
export const sourcesRequest: Request<RequestContext, OwnSources> = {
  method: "agentMemory/sources",
};
export const allSourcesRequest: Request<SourcesParams, Sources> = { method: "agentMemory/sources" };
export const explainRequest: Request<ExplainParams, Explained> = { method: "agentMemory/explain" };
export const verifyRequest: Request<RequestContext, Verified> = { method: "agentMemory/verify" };
export const rememberRequest: Request<RememberParams, RememberPlan> = {
  method: "agentMemory/remember",
};
export const targetsRequest: Request<RequestContext, { targets: Target[] }> = {
  method: "agentMemory/targets",
};
export const recallRequest: Request<RecallParams, { entries: Entry[] }> = {
  method: "agentMemory/recall",
};
export const entriesRequest: Request<EntriesParams, { entries: Entry[] }> = {
  method: "agentMemory/entries",
};
export const promoteCommand: ServerCommand<EntryParams & { to: Scope }, RememberPlan> = {
  command: "agentMemory.server.promote",
};
export const forgetCommand: ServerCommand<EntryParams, Entry> = { command: "agentMemory.server.forget" };
export const restoreCommand: ServerCommand<EntryParams, Entry> = { command: "agentMemory.server.restore" };
export const statusRequest: Request<object, Record<string, unknown>> = {
  method: "agentMemory/status",
};
export const CHANGED_NOTIFICATION = "agentMemory/changed";
