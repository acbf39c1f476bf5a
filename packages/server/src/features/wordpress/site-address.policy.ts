import type { BinaryText } from './php-serialized.policy.ts'

/** How a web address is written in what WordPress and its plugins store, each with what stands for `:` and `/`. */
const spellings: readonly { colon: string; slash: string }[] = [
  { colon: ':', slash: '/' },
  { colon: ':', slash: '\\/' }, // JSON
  { colon: ':', slash: '\\\\\\/' }, // JSON in JSON
  { colon: '%3A', slash: '%2F' },
  { colon: '%253A', slash: '%252F' }
]

export interface SiteAddressParts {
  scheme: 'http' | 'https'
  /** With the port where it is not the scheme's own. */
  host: string
  /** Of a site below its host, without the closing slash: `/blog`; else ''. */
  path: string
}

// More than any browser's.
const maxAddressLength = 2048

/** Undefined of what is no address of a site, such as an empty option. */
export function parseSiteAddress(text: string): SiteAddressParts | undefined {
  if (text.length > maxAddressLength) return undefined
  if (!/^https?:\/\//i.test(text.trim()) || !URL.canParse(text.trim())) return undefined
  const url = new URL(text.trim())
  return {
    scheme: url.protocol === 'https:' ? 'https' : 'http',
    host: url.host,
    path: url.pathname.replace(/\/+$/, '')
  }
}

export const formatSiteAddress = ({ scheme, host, path }: SiteAddressParts): string => `${scheme}://${host}${path}`

interface AddressReplacer {
  /** In one pass, with memory for the result alone. */
  replace(text: BinaryText): BinaryText
  /** How many times as long a text may become. */
  growth: number
}

/**
 * Puts the new address in the place of the old ones, with http, with https and without a scheme, as plain text, in JSON and URL-encoded.
 * Only whole ones: `http://old.example` is not in `http://old.example.org`, nor `/blog` in `/blogger`.
 */
export function addressReplacer(previous: readonly SiteAddressParts[], address: SiteAddressParts): AddressReplacer {
  const hosts = [...new Set(previous.map((each) => each.host.toLowerCase().split(':')[0]!))]
  const rules = rulesFor(previous, address)
  // Of two that begin at one place, the first rule's: one pattern, so that the new address, which may contain the old one, is not
  // replaced again.
  const pattern = new RegExp(rules.map((rule) => rule.pattern).join('|'), 'gi')
  const replacements = rules.map((rule) => rule.by)
  return {
    growth: Math.max(1, ...rules.map((rule) => rule.by.length / rule.shortest)),
    replace(text) {
      const lower = text.toLowerCase()
      return hosts.some((host) => lower.includes(host)) ? replaceAll(text, pattern, replacements) : text
    }
  }
}

interface Rule {
  /** With one group, empty, which tells that it was this rule. */
  pattern: string
  by: string
  /** Length of the shortest text that fits. */
  shortest: number
}

function rulesFor(previous: readonly SiteAddressParts[], address: SiteAddressParts): Rule[] {
  // The longest first: the address of a site may begin with that of another.
  const olds = [...new Map(previous.map((each) => [`${each.host}${each.path}`, each])).values()].sort(
    (a, b) => b.path.length - a.path.length || b.host.length - a.host.length
  )
  return spellings.flatMap(({ colon, slash }) => {
    const spell = (text: string) => text.replaceAll(':', colon).replaceAll('/', slash)
    return olds.flatMap((old) => {
      const rest = spell(`//${old.host}${old.path}`)
      // A host that goes on, be it in UTF-8, is another one.
      const whole = `${escape(rest)}(?![\\w\\x80-\\xff-]|\\.[\\w\\x80-\\xff]|:\\d|%3A\\d)()`
      const scheme = `http${colon}`
      return [
        {
          pattern: `https?${colon}${whole}`,
          by: spell(formatSiteAddress(address)),
          shortest: scheme.length + rest.length
        },
        // A scheme of another kind (ftp) is not the site's.
        { pattern: `(?<!:|%3A|%253A)${whole}`, by: spell(`//${address.host}${address.path}`), shortest: rest.length }
      ]
    })
  })
}

// A rope of millions of small pieces takes twenty times their size.
const piecesAtOnce = 10_000

/** Not by `String.replace`, which keeps all matches before it makes a text of them. */
function replaceAll(text: string, pattern: RegExp, replacements: readonly string[]): string {
  let output = ''
  let pieces: string[] = []
  let at = 0
  pattern.lastIndex = 0
  for (let found; (found = pattern.exec(text)); at = pattern.lastIndex) {
    const rule = found.indexOf('', 1) - 1
    pieces.push(text.slice(at, found.index), replacements[rule]!)
    if (pieces.length < piecesAtOnce) continue
    output += pieces.join('')
    pieces = []
  }
  return at === 0 ? text : output + pieces.join('') + text.slice(at)
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

interface SiteHost {
  hostname: string
  pathPrefix: string | null
  forceHttps: boolean
}

/**
 * The address that a project's visitors have: its first verified domain, or else the host name that it was given. With https where the
 * proxy insists on it.
 */
export function siteAddressOf(
  hosts: readonly SiteHost[],
  ownHostname: string,
  ports: { http: number; https: number }
): SiteAddressParts {
  const [host] = hosts.filter((each) => each.pathPrefix === null)
  const scheme = host?.forceHttps ? 'https' : 'http'
  const port = ports[scheme]
  const isOwnPort = port === (scheme === 'https' ? 443 : 80)
  return { scheme, host: `${host?.hostname ?? ownHostname}${isOwnPort ? '' : `:${port}`}`, path: '' }
}
