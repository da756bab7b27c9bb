// Typing into a memory file of usual size.
import { typing } from "../lib/typing.mjs";

typing("64 KB", 64_000);
