import { neverServed } from './never-served.ts'
import type { Redirect, SiteRules } from './site-rules.ts'

/** Directives for a `route` of a Caddyfile, before those that serve files. */
export const caddyRedirects = ({ redirects }: Pick<SiteRules, 'redirects'>): string =>
  redirects.map((redirect, at) => indented(caddyRedirect(redirect, `r${at}`), 2)).join('\n')

/** Of the site's own files that visitors do not get. */
export const caddyHidden = `		@never path_regexp \`${neverServed}\`
		error @never 404
		@rules path /_redirects /_headers
		error @rules 404
`

export const caddyHeaders = ({ headers }: Pick<SiteRules, 'headers'>): string =>
  headers
    .map(({ pattern, headers: values }, at) =>
      indented(
        [
          `@h${at} path_regexp \`${pattern}\``,
          ...values.map(([name, value]) => `header @h${at} ${name} ${quoted(value)}`)
        ],
        1
      )
    )
    .join('\n')

const indented = (lines: readonly string[], depth: number): string =>
  lines.map((line) => `${'\t'.repeat(depth)}${line}\n`).join('')

function caddyRedirect({ pattern, target, status, isForced }: Redirect, name: string): string[] {
  const to = target.map((piece) => (typeof piece === 'number' ? `{re.${name}.${piece}}` : piece)).join('')
  const matcher = (suffix: string, ...more: readonly string[]) => [
    `@${name}${suffix} {`,
    `	path_regexp ${name} \`${pattern}\``,
    ...(isForced ? [] : ['	not file {path} {path}/index.html {path}.html']),
    ...more.map((line) => `	${line}`),
    '}'
  ]
  if (status === 404) return [...matcher(''), `error @${name} 404`]
  if (status === 200) return [...matcher(''), `rewrite @${name} ${quoted(to)}`]
  if (to.includes('?')) return [...matcher(''), `redir @${name} ${quoted(to)} ${status}`]
  const [path, fragment] = to.split('#', 2)
  const withQuery = `${path}?{query}${fragment === undefined ? '' : `#${fragment}`}`
  return [
    ...matcher('', "expression `{query} == ''`"),
    `redir @${name} ${quoted(to)} ${status}`,
    ...matcher('q', "expression `{query} != ''`"),
    `redir @${name}q ${quoted(withQuery)} ${status}`
  ]
}

/** Braces of the text would name placeholders; those of a target are the panel's own. */
const quoted = (text: string): string => `"${text.replace(/"/g, '\\"')}"`
