/** What a page of the dashboard takes before there is anything to see of it, as its build writes it (first-requests.plugin.ts). */
export interface FirstRequests {
  /** As the router has it: `/projects/$projectId/files`. */
  path: string
  scripts: readonly string[]
  styles: readonly string[]
  /** Of the API, what the pages around it ask for. */
  asksAround: readonly string[]
  /** What it asks for itself, where its address has no search. */
  asks: readonly string[]
}

/** Links by which a browser asks for all of it at once; none for who will be sent to sign in. `pages` in the order of the build. */
export function firstLinks(pages: readonly FirstRequests[], url: string, hasSession: boolean): string {
  const [address = '', search] = url.split('?')
  const parts = partsOf(address)
  const page = pages.find(({ path }) => hasForm(parts, partsOf(path)))
  // Around each page for somebody stands one that asks who that is.
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

/** Ids are of few characters alone, so that nothing in an address becomes another request. */
const hasForm = (parts: readonly string[], form: readonly string[]): boolean =>
  parts.length === form.length &&
  form.every((part, index) => (part.startsWith('$') ? /^[\w-]+$/.test(parts[index]!) : part === parts[index]))
