export interface Page {
  protocol: 'http' | 'https'
  path: string
}

export type NextPage = { kind: 'page'; page: Page } | { kind: 'elsewhere'; url: string }

const longestPath = 2_000

/** Where a redirect of a page of this host leads; undefined if the location is not one. */
export function nextPage(hostname: string, page: Page, location: string): NextPage | undefined {
  const base = `${page.protocol}://${hostname}${page.path}`
  const url = URL.canParse(location, base) ? new URL(location, base) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined
  if (url.hostname !== hostname || url.port !== '')
    return { kind: 'elsewhere', url: `${url.origin}${url.pathname}`.slice(0, 300) }
  const path = `${url.pathname}${url.search}`
  if (path.length > longestPath) return undefined
  return { kind: 'page', page: { protocol: url.protocol === 'https:' ? 'https' : 'http', path } }
}

export const urlOf = (hostname: string, { protocol, path }: Page): string => `${protocol}://${hostname}${path}`
