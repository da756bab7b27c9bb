import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "out", "bundled", "node_modules"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["./tsconfig.json", "./src/webview/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // numbers in messages are fine
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      eqeqeq: "error",
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", { max: 70, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      // node's test() returns a promise that its runner waits for
      "@typescript-eslint/no-floating-promises": "off",
      "max-lines-per-function": "off",
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly" } },
  },
);
