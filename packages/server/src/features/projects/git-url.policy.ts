import { isHostname } from '../../net/hostname.ts'

export interface ParsedGitUrl {
  kind: 'https' | 'http' | 'ssh'
  host: string
  port: number | undefined
  /** Without a leading or trailing slash. */
  path: string
  /** The form that is stored and shown. */
  display: string
}

interface GitHosts {
  /** Host (or `host:port`) → base URL to fetch from instead (GIT_MIRRORS). */
  mirrors: Readonly<Record<string, string>>
  /** `host` or `host:port` (GIT_EXTRA_HOSTS). */
  extraHosts: readonly string[]
}

const providers: readonly string[] = ['github.com', 'gitlab.com', 'bitbucket.org']

const useDeployKey =
  'must not contain a username, password or token. For a private repository use git@host:owner/repository and the deploy key'

const moreHosts = '. Administrators can allow other hosts in the settings'

/**
 * Accepts `https://`, `http://` or `git@`, an allowed host, `:` or `/`, and a path with a slash. Rejects anything that
 * git, ssh or a URL parser could read differently. The result is rebuilt from the parsed host and path; no other user
 * input passes through.
 */
export function parseGitUrl(text: string, hosts: GitHosts): ParsedGitUrl | { problem: string } {
  if (text.length > 500) return problem('must have at most 500 characters')
  if (/[^\x21-\x7e]/.test(text)) return problem('must not contain spaces, control characters or letters outside ASCII')
  const scheme = /^(https:\/\/|http:\/\/|git@)/.exec(text)?.[0]
  if (scheme === undefined) return problem('must start with https://, http:// or git@')
  const kind = scheme === 'git@' ? 'ssh' : scheme === 'https://' ? 'https' : 'http'
  const rest = text.slice(scheme.length)
  if (/^[^/]*@/.test(rest)) return problem(useDeployKey)
  const [, authority = '', separator, tail = ''] = /^([^/:]*)([/:])(.*)$/.exec(rest) ?? []
  if (separator === undefined) return problem('must name a host and then owner/repository')

  const host = authority.toLowerCase()
  const located = locate(kind, host, separator, tail, hosts)
  if (located === undefined)
    return problem(`must use one of these hosts: ${namedHosts(hosts).join(', ')}, without a different port${moreHosts}`)
  const path = located.path.replace(/\/$/, '')
  const wrong = pathProblem(path)
  if (wrong !== undefined) return problem(wrong)
  const site = hostKey(host, located.port)
  return {
    kind,
    host,
    port: located.port,
    path,
    display: kind === 'ssh' ? `git@${site}:${path}` : `${kind}://${site}/${path}`
  }
}

/** The address to fetch from: the host's mirror if there is one, else the repository itself. */
export function remoteUrl(url: ParsedGitUrl, mirrors: Readonly<Record<string, string>>): string {
  const site = hostKey(url.host, url.port)
  const mirror = own(mirrors, site) ?? own(mirrors, url.host)
  if (mirror !== undefined) return `${mirror}/${url.path}`
  if (url.kind === 'ssh') return `ssh://git@${site}/${url.path}`
  if (!providers.includes(url.host)) return `${url.kind}://${site}/${url.path}`
  // Git does not follow redirects here, and providers redirect http to https; gitlab.com also redirects names without
  // `.git`.
  return `https://${url.host}/${url.path.replace(/\.git$/, '')}.git`
}

/** GIT_MIRRORS: `host=base-url,…`. Throws with a message that says what is wrong. */
export function parseGitMirrors(text: string): Record<string, string> {
  const mirrors: Record<string, string> = {}
  for (const entry of entries(text)) {
    const equals = entry.indexOf('=')
    const host = entry.slice(0, Math.max(equals, 0)).toLowerCase()
    const base = entry.slice(equals + 1)
    if (!isSite(host) || !isBaseUrl(base)) {
      throw new Error(`must be host=base-url pairs such as github.com=https://git.example.com/mirror, not "${entry}"`)
    }
    if (Object.hasOwn(mirrors, host)) throw new Error(`names ${host} twice`)
    mirrors[host] = base.replace(/\/+$/, '')
  }
  return mirrors
}

/** GIT_EXTRA_HOSTS: `host[:port],…`. Throws with a message that says what is wrong. */
export function parseExtraHosts(text: string): string[] {
  const hosts = entries(text).map((entry) => entry.toLowerCase())
  const bad = hosts.find((host) => !isSite(host))
  if (bad !== undefined)
    throw new Error(`must be hostnames such as git.example.com or git.example.com:8443, not "${bad}"`)
  return [...new Set(hosts)]
}

/** Port and path of an allowed host; undefined if the host or port is not allowed. */
function locate(kind: ParsedGitUrl['kind'], host: string, separator: string, tail: string, hosts: GitHosts) {
  const sites = allowedHosts(hosts)
  const [, digits, , afterPort = ''] = /^(\d{1,5})([/:])(.*)$/.exec(separator === ':' ? tail : '') ?? []
  const portIsMeant = digits !== undefined && (kind !== 'ssh' || sites.includes(`${host}:${digits}`))
  if (portIsMeant) return sites.includes(`${host}:${digits}`) ? { port: Number(digits), path: afterPort } : undefined
  if (kind !== 'ssh') return sites.includes(host) ? { port: undefined, path: tail } : undefined
  // The scp form cannot carry a port: use the one configured for the host.
  const site = sites.find((entry) => entry.startsWith(`${host}:`)) ?? sites.find((entry) => entry === host)
  const path = separator === ':' ? tail.replace(/^\//, '') : tail
  return site === undefined ? undefined : { port: portOf(site), path }
}

function pathProblem(path: string): string | undefined {
  const segments = path.split('/')
  if (segments.length < 2) return 'must name owner/repository after the host'
  const isPlain = (segment: string) => /^[A-Za-z0-9._~+][A-Za-z0-9._~+-]*$/.test(segment) && !/^\.\.?$/.test(segment)
  return segments.every(isPlain)
    ? undefined
    : 'must have a path of letters, digits, ".", "_", "~", "+" and "-", without "..", empty parts or parts that start with "-"'
}

const problem = (text: string) => ({ problem: `The repository URL ${text}` })
const hostKey = (host: string, port: number | undefined) => (port === undefined ? host : `${host}:${port}`)
const portOf = (site: string) => (site.includes(':') ? Number(site.split(':')[1]) : undefined)
const allowedHosts = (hosts: GitHosts) => [
  ...new Set([...providers, ...hosts.extraHosts, ...Object.keys(hosts.mirrors)])
]
/** Without the host of the sample, which users do not type. */
const namedHosts = (hosts: GitHosts) => allowedHosts(hosts).filter((host) => !host.endsWith('.invalid'))
const own = (record: Readonly<Record<string, string>>, key: string) =>
  Object.hasOwn(record, key) ? record[key] : undefined
const entries = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

function isSite(text: string): boolean {
  const [host = '', port, ...more] = text.split(':')
  return (
    isHostname(host) &&
    more.length === 0 &&
    (port === undefined || (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65535))
  )
}

/**
 * A base URL to append a path to. A username is allowed for ssh only, where it is part of the address and not a
 * secret.
 */
function isBaseUrl(text: string): boolean {
  const [, user, site = ''] =
    /^(?:https?:\/\/|ssh:\/\/([a-z_][a-z0-9_-]*@)?)([^/@]+)(?:\/[A-Za-z0-9._~+/-]*)?$/i.exec(text) ?? []
  return isSite(site.toLowerCase()) && (user === undefined || text.startsWith('ssh://'))
}
