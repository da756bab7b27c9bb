// Extensions loaded from their folders beside the VSIX, as while they are developed.

/**
 * Tell the workbench of them. A built one ignores them in its address, so they are put into
 * the configuration element of its page, by a script that runs before any of the page's own: a
 * changed answer of the server would make Chromium refuse the page's WebSockets.
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
