import type { BinaryText } from './php-serialized.policy.ts'

const spellings: readonly { colon: string; slash: string }[] = [
  { colon: ':', slash: '/' },
  { colon: ':', slash: '\\/' }, // JSON
  { colon: ':', slash: '\\\\\\/' }, // JSON in JSON
  { colon: '%3A', slash: '%2F' },
  { colon: '%253A', slash: '%252F' }
]

export interface SiteAddressParts {
  scheme: 'http' | 'https'
  host: string
  /** `/blog` for a site in a subdirectory, without the trailing slash; else ''. */
  path: string
}

const maxAddressLength = 2048

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
  replace(text: BinaryText): BinaryText
  growth: number
}

/** Whole addresses only: `http://old.example` does not match `http://old.example.org`, nor `/blog` `/blogger`. */
export function addressReplacer(previous: readonly SiteAddressParts[], address: SiteAddressParts): AddressReplacer {
  const hosts = [...new Set(previous.map((each) => each.host.toLowerCase().split(':')[0]!))]
  const rules = rulesFor(previous, address)
  // One pattern, first rule wins: separate passes would replace a new address that contains the old one again.
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
  pattern: string
  by: string
  shortest: number
}

function rulesFor(previous: readonly SiteAddressParts[], address: SiteAddressParts): Rule[] {
  // Longest first: one site's address may be a prefix of another's.
  const olds = [...new Map(previous.map((each) => [`${each.host}${each.path}`, each])).values()].sort(
    (a, b) => b.path.length - a.path.length || b.host.length - a.host.length
  )
  return spellings.flatMap(({ colon, slash }) => {
    const spell = (text: string) => text.replaceAll(':', colon).replaceAll('/', slash)
    return olds.flatMap((old) => {
      const rest = spell(`//${old.host}${old.path}`)
      // The host must end here, also in UTF-8.
      const whole = `${escape(rest)}(?![\\w\\x80-\\xff-]|\\.[\\w\\x80-\\xff]|:\\d|%3A\\d)()`
      const scheme = `http${colon}`
      return [
        {
          pattern: `https?${colon}${whole}`,
          by: spell(formatSiteAddress(address)),
          shortest: scheme.length + rest.length
        },
        { pattern: `(?<!:|%3A|%253A)${whole}`, by: spell(`//${address.host}${address.path}`), shortest: rest.length }
      ]
    })
  })
}

// V8 ropes of millions of small pieces take twenty times their size.
const piecesAtOnce = 10_000

/** Not `String.replace`: it keeps all matches in memory before it builds the result. */
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
