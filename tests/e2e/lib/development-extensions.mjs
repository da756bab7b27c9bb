// Loads extensions from their folders in addition to the VSIX, as during development.

/**
 * Add the extensions to the workbench's configuration. A production build ignores them in its URL,
 * so a script that runs before the page's own adds them to the configuration element. Changing the
 * server's response instead would make Chromium reject the page's WebSockets.
 */
export function develop(page, origin, { extensions, suite }) {
  const remote = (file) => ({
    $mid: 1,
    scheme: "vscode-remote",
    authority: new URL(origin).host,
    path: file,
  });
  const tests = suite ? { extensionTestsPath: remote(suite) } : {};
  return page.addInitScript((added) => {
    if (window !== window.top) {
      return;
    }
    new MutationObserver((_, observer) => {
      const element = document.getElementById("vscode-workbench-web-configuration");
      if (!element) {
        return;
      }
      observer.disconnect();
      const settings = JSON.parse(element.getAttribute("data-settings"));
      settings.developmentOptions = { ...settings.developmentOptions, ...added };
      element.setAttribute("data-settings", JSON.stringify(settings));
    }).observe(document, { childList: true, subtree: true });
  }, { extensions: extensions.map(remote), ...tests });
}
