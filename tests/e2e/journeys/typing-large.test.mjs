// Typing into a large memory file. It runs alone: on a busy machine the settings arrive late, and the
// requests for them are counted as answers to keys.
import { typing } from "../lib/typing.mjs";

typing("1 MB", 1_000_000);
