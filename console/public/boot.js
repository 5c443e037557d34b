// Runs before the first paint. The chosen theme must not flash; the schema library must not try to
// compile code, which the policy forbids; style elements of the components need the page's nonce.
;(() => {
  try {
    const theme = localStorage.getItem('whence.theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {}
  globalThis.__zod_globalConfig = { jitless: true }
  globalThis.__webpack_nonce__ = document.querySelector('meta[name="csp-nonce"]')?.content
})()
