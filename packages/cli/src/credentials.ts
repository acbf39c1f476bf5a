import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { CommandError, exitCodes, program, UsageError } from './context.ts'

export interface Credentials {
  url: string
  token: string
}

type Env = Readonly<Record<string, string | undefined>>

/** Below XDG_CONFIG_HOME; a relative value is ignored, as the XDG specification requires. */
export function credentialsPath(env: Env): string {
  const base = env.XDG_CONFIG_HOME ?? ''
  return join(isAbsolute(base) ? base : join(env.HOME ?? homedir(), '.config'), 'panel-cli', 'credentials.json')
}

export async function readCredentials(env: Env): Promise<Credentials> {
  const { PANEL_URL: url, PANEL_TOKEN: token } = env
  if (url !== undefined && token !== undefined) return { url: panelUrl(url, env), token }
  const path = credentialsPath(env)
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw notSignedIn(`You are not signed in. Run ${program} login --url <panel URL>`)
    throw cause
  })
  const kept = parse(text)
  if (!kept) throw notSignedIn(`${path} is invalid. Sign in again with ${program} login --url <panel URL>`)
  return kept
}

/** Atomic, and readable only by the user from the first byte. */
export async function keepCredentials(env: Env, { url, token }: Credentials): Promise<string> {
  const path = credentialsPath(env)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await chmod(dirname(path), 0o700)
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify({ url, token })}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  return path
}

export const forgetCredentials = (env: Env): Promise<void> => rm(credentialsPath(env), { force: true })

/** Origin of a panel URL. The token is sent over plain HTTP only to this machine, or if PANEL_ALLOW_HTTP is set. */
export function panelUrl(text: string, env: Env): string {
  if (!URL.canParse(text)) throw new UsageError(`${text} is not a URL. Use the form https://panel.example.com`)
  const { protocol, hostname, origin, username } = new URL(text)
  if (!['http:', 'https:'].includes(protocol) || username !== '')
    throw new UsageError(`${text} is not a panel URL. Use the form https://panel.example.com`)
  const isHere = /^(localhost|127\.[\d.]+|\[::1\]|.+\.localhost)$/.test(hostname)
  if (protocol === 'http:' && !isHere && env.PANEL_ALLOW_HTTP !== '1')
    throw new UsageError(`Plain HTTP would expose the token. Use https, or set PANEL_ALLOW_HTTP=1 to allow it`)
  return origin
}

const notSignedIn = (message: string) => new CommandError(message, exitCodes.notSignedIn)

function parse(text: string): Credentials | undefined {
  try {
    const { url, token } = JSON.parse(text) as Partial<Credentials>
    return typeof url === 'string' && typeof token === 'string' ? { url, token } : undefined
  } catch {
    return undefined
  }
}
