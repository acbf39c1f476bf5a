import { neverServed } from './never-served.ts'
import type { HeaderRule, Redirect, SiteRules } from './site-rules.ts'

/** Rewrite rules in the order in which they apply. */
export function apacheRewrites({ redirects }: Pick<SiteRules, 'redirects'>): string {
  return [
    'RewriteEngine On',
    // Of the request, before a rule changes it, for the headers.
    'RewriteRule "^" "-" [NS,E=site_path:%{REQUEST_URI}]',
    'RewriteRule "^" "-" [NS,E=site_proto:http]',
    'RewriteCond "%{HTTP:X-Forwarded-Proto}" "=https"',
    'RewriteRule "^" "-" [NS,E=site_proto:https]',
    // Without a 404 page of the site, the server's.
    'RewriteCond "%{ENV:REDIRECT_STATUS}" "^40[34]$"',
    'RewriteCond "/srv/404.html" "!-f"',
    'RewriteRule "^/404\\.html$" "/.panel-404.html" [PT,L]',
    'RewriteCond "%{ENV:REDIRECT_STATUS}" "^40[34]$"',
    'RewriteRule "^" "-" [L]',
    'RewriteRule "(^|/)\\.(?!well-known(/|$))" "-" [R=404,L]',
    `RewriteRule "${neverServed}" "-" [R=404,L]`,
    'RewriteRule "^/_(redirects|headers)$" "-" [NS,R=404,L]',
    'RewriteCond "/srv%{REQUEST_URI}" "-L"',
    'RewriteRule "^" "-" [R=404,L]',
    ...redirects.flatMap(apacheRedirect),
    'RewriteCond "/srv%{REQUEST_URI}" "-d"',
    'RewriteRule "^(.*[^/])$" "%{ENV:site_proto}://%{HTTP_HOST}$1/" [NS,R=301,L]',
    'RewriteCond "/srv%{REQUEST_URI}" "!-f"',
    'RewriteCond "/srv%{REQUEST_URI}" "!-d"',
    'RewriteCond "/srv%{REQUEST_URI}.html" "-f"',
    'RewriteRule "^(.*[^/])$" "$1.html" [NS,PT,L]',
    // A folder without an index is not listed.
    'RewriteCond "/srv%{REQUEST_URI}" "-d"',
    'RewriteCond "/srv%{REQUEST_URI}index.html" "!-f"',
    'RewriteRule "/$" "-" [NS,R=404,L]'
  ].join('\n')
}

function apacheRedirect({ pattern, target, status, isForced }: Redirect): string[] {
  const isFree = isForced
    ? []
    : [
        'RewriteCond "/srv%{REQUEST_URI}" "!-f"',
        'RewriteCond "/srv%{REQUEST_URI}/index.html" "!-f"',
        'RewriteCond "/srv%{REQUEST_URI}.html" "!-f"'
      ]
  const hasGroups = target.some((piece) => typeof piece === 'number')
  // What the path gave is decoded, so that the whole is escaped; the rest is as its author wrote it.
  const text = (piece: string) => (hasGroups ? decodedText(piece) : piece).replace(/[%$]/g, '\\$&')
  const to = target.map((piece) => (typeof piece === 'number' ? `$${piece}` : text(piece))).join('')
  const isOfSite = to.startsWith('/')
  if (status === 404) return [...isFree, `RewriteRule "${pattern}" "-" [NS,R=404,L]`]
  if (status === 200) return [...isFree, `RewriteRule "${pattern}" "${to}" [NS,PT,L]`]
  const address = isOfSite ? `%{ENV:site_proto}://%{HTTP_HOST}${to}` : to
  return [...isFree, `RewriteRule "${pattern}" "${address}" [NS,R=${status},L${hasGroups ? '' : ',NE'}]`]
}

function decodedText(text: string): string {
  try {
    const plain = decodeURIComponent(text)
    return /["\\`{}\p{C}]/u.test(plain) ? text : plain
  } catch {
    return text
  }
}

export const apacheHeaders = ({ headers }: Pick<SiteRules, 'headers'>): string =>
  headers.flatMap(headerLines).join('\n')

const headerLines = ({ pattern, headers }: HeaderRule): string[] =>
  headers.map(
    ([name, value]) =>
      `Header set ${name} "${value.replace(/"/g, '\\"').replace(/%/g, '%%')}" "expr=reqenv('site_path') =~ m#${pattern}#"`
  )
