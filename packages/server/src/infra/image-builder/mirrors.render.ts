import { panelDirectory } from './build-plan.ts'
import { copy } from './dockerfile.render.ts'

/** Package registries that builds use instead of the public ones. URLs may contain credentials. */
export interface Mirrors {
  npmRegistry?: string | undefined
  pipIndexUrl?: string | undefined
}

interface MirrorFiles {
  files: ReadonlyMap<string, string>
  /** For install stages only, never for the final image: the files may contain a password. */
  lines: readonly string[]
}

/** User-level settings of npm, pnpm and yarn. The repository's own registry settings take precedence. */
export function npmMirror({ npmRegistry }: Mirrors): MirrorFiles {
  if (npmRegistry === undefined) return none
  return settings({
    npmrc: ['/root/.npmrc', renderNpmrc(npmRegistry)],
    'yarnrc.yml': ['/root/.yarnrc.yml', renderYarnrc(npmRegistry)]
  })
}

export function pipMirror({ pipIndexUrl }: Mirrors): MirrorFiles {
  return pipIndexUrl === undefined ? none : settings({ 'pip.conf': ['/etc/pip.conf', renderPipConf(pipIndexUrl)] })
}

const none: MirrorFiles = { files: new Map(), lines: [] }

const settings = (targets: Readonly<Record<string, readonly [string, string]>>): MirrorFiles => ({
  files: new Map(Object.entries(targets).map(([name, [, text]]) => [`${panelDirectory}${name}`, text])),
  lines: Object.entries(targets).map(([name, [target]]) => copy(`${panelDirectory}${name}`, target))
})

// A parsed URL contains no line breaks, quotes or spaces.
/** npm's own settings file; empty for the public registry. */
export function renderNpmrc(address: string | undefined): string {
  if (address === undefined) return ''
  const { url, credentials } = split(address)
  const place = url.href.slice(url.protocol.length)
  const login = credentials === undefined ? '' : `${place}:_auth=${Buffer.from(credentials).toString('base64')}\n`
  return `registry=${url.href}\n${login}`
}

function renderYarnrc(address: string): string {
  const { url, credentials } = split(address)
  return [
    `npmRegistryServer: ${JSON.stringify(url.href)}`,
    ...(credentials === undefined ? [] : ['npmAlwaysAuth: true', `npmAuthIdent: ${JSON.stringify(credentials)}`]),
    ...(url.protocol === 'http:' ? [`unsafeHttpWhitelist: [${JSON.stringify(url.hostname)}]`] : []),
    ''
  ].join('\n')
}

function renderPipConf(address: string): string {
  const { protocol, host } = new URL(address)
  return `[global]\nindex-url = ${address}\n${protocol === 'http:' ? `trusted-host = ${host}\n` : ''}`
}

function split(address: string): { url: URL; credentials: string | undefined } {
  const url = new URL(address)
  const { username, password } = url
  url.username = url.password = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  const isNamed = username !== '' || password !== ''
  return {
    url,
    credentials: isNamed ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}` : undefined
  }
}
