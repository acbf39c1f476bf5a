/** What a page of the dashboard takes before there is anything to see of it, as its build has written it (first-requests.plugin.ts). */
export interface FirstRequests {
  /** `/projects/$projectId/files`. */
  path: string
  scripts: readonly string[]
  styles: readonly string[]
  /** Of the API, what the pages around it ask for. */
  asksAround: readonly string[]
  /** What it asks for itself, where its address has no search. */
  asks: readonly string[]
}

/**
 * Links by which a browser asks for all of it at once. Of what is asked of the API only where somebody has a session, who else is sent to
 * sign in; `pages` as the build has sorted them.
 */
export function firstLinks(pages: readonly FirstRequests[], url: string, hasSession: boolean): string {
  const [address = '', search] = url.split('?')
  const segments = address.split('/').filter(Boolean)
  const page = pages.find(({ path }) => hasForm(segments, path.split('/').filter(Boolean)))
  if (!page) return ''
  const { scripts, styles, asksAround, asks } = page
  const isForSomebody = asksAround.length > 0
  if (isForSomebody && !hasSession) return ''
  const asked = search === undefined ? [...asksAround, ...asks] : asksAround
  return [
    ...asked.map(
      (ask) => `<link rel="preload" as="fetch" crossorigin href="${escape(fill(ask, page.path, segments))}">`
    ),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`)
  ].join('')
}

/** Ids are of these characters alone, so that nothing in an address becomes another request. */
const isId = (segment: string): boolean => /^[\w-]+$/.test(segment)

const hasForm = (segments: readonly string[], form: readonly string[]): boolean =>
  segments.length === form.length &&
  form.every((part, index) => (part.startsWith('$') ? isId(segments[index]!) : part === segments[index]))

const fill = (ask: string, path: string, segments: readonly string[]): string => {
  const form = path.split('/').filter(Boolean)
  return ask.replaceAll(/\$\w+/g, (name) => segments[form.indexOf(name)] ?? '')
}

const escape = (text: string): string => text.replaceAll('&', '&amp;')
