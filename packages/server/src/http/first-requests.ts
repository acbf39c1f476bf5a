export interface FirstRequests {
  path: string
  scripts: readonly string[]
  styles: readonly string[]
  asksAround: readonly string[]
  /** API requests of the page itself, valid only if its URL has no query. */
  asks: readonly string[]
}

/**
 * Preload links for everything a page needs first; none for visitors who will be redirected to sign in. `pages` in the
 * build's order.
 */
export function firstLinks(pages: readonly FirstRequests[], url: string, hasSession: boolean): string {
  const [address = '', search] = url.split('?')
  const parts = partsOf(address)
  const page = pages.find(({ path }) => hasForm(parts, partsOf(path)))
  // Layouts of signed-in pages request the current account, so these pages need a session.
  if (!page || (page.asksAround.length > 0 && !hasSession)) return ''
  const requested = search === undefined ? [...page.asksAround, ...page.asks] : page.asksAround
  const form = partsOf(page.path)
  const filled = requested.map((ask) => ask.replaceAll(/\$\w+/g, (name) => parts[form.indexOf(name)]!))
  return [
    ...filled.map((ask) => `<link rel="preload" as="fetch" crossorigin href="${ask.replaceAll('&', '&amp;')}">`),
    ...page.scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...page.styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`)
  ].join('')
}

const partsOf = (path: string): string[] => path.split('/').filter(Boolean)

/** Ids are restricted to safe characters, so that a URL cannot inject another request. */
const hasForm = (parts: readonly string[], form: readonly string[]): boolean =>
  parts.length === form.length &&
  form.every((part, index) => (part.startsWith('$') ? /^[\w-]+$/.test(parts[index]!) : part === parts[index]))
