import js from "@eslint/js";

const node = ["Buffer", "clearTimeout", "console", "fetch", "performance", "process", "setTimeout", "URL"];
const browser = [
  ...["document", "window", "innerHeight", "requestAnimationFrame", "acquireVsCodeApi", "getComputedStyle"],
  ...["MessageChannel", "MutationObserver", "PerformanceObserver"],
];
const commonJs = ["__dirname", "exports", "module", "require"];
const mocha = ["after", "afterEach", "before", "beforeEach", "describe", "it"];

const globals = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

export default [
  js.configs.recommended,
  { languageOptions: { globals: globals([...node, ...browser]) } },
  {
    files: ["extension-host/**/*.js"],
    languageOptions: { sourceType: "commonjs", globals: globals([...node, ...commonJs, ...mocha]) },
  },
  { rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error" } },
];
