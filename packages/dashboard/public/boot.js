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
// zod tries `new Function` unless told not to, and under our CSP each page would report that. Set without loading zod.
globalThis.__zod_globalConfig = { jitless: true }
