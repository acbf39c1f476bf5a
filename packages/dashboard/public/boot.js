// Before the first paint: the colour scheme that was chosen, else the system's. A file, since the CSP allows no inline script.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage is switched off: the system's scheme.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  const scheme = isDark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  document.documentElement.style.colorScheme = scheme
})()
// A file that was lost on the way, as a change of network does it, or is gone since an upgrade: a page without its style or its program is
// of no use, so it is loaded anew, once. Not without a network: the page that stands there is more than none.
;(() => {
  const loadAnew = (event) => {
    try {
      if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem('reloadedAt') ?? 0) < 10_000) return
      sessionStorage.setItem('reloadedAt', String(Date.now()))
    } catch {
      return // Storage is switched off: nobody would know how often.
    }
    event.preventDefault()
    location.reload()
  }
  addEventListener('vite:preloadError', loadAnew)
  const isOfPage = (target) =>
    target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
  addEventListener('error', (event) => isOfPage(event.target) && loadAnew(event), true)
})()
// zod tries `new Function` unless told not to, and under our CSP each page would report that. Set without loading zod.
globalThis.__zod_globalConfig = { jitless: true }
