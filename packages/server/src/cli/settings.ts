import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parse } from 'dotenv'
import { type Config, type GivenBy, parseConfig, variableNames } from '../config.ts'
import { panelSettingsPath } from '../process/paths.ts'
import type { CommandContext } from './command.ts'
import { step } from './command.ts'

type Env = CommandContext['env']

const settingsFile = (env: Env) => panelSettingsPath({ DATA_DIR: resolve(env.DATA_DIR || './data') })

/** The environment over the lines of PANEL_ENV_FILE, the settings file of the Debian package. */
export async function readEnvironment(env: Env): Promise<Env> {
  if (!env.PANEL_ENV_FILE) return env
  return { ...parse(await readFile(env.PANEL_ENV_FILE, 'utf8')), ...withoutEmpty(env) }
}

/** Configuration from the environment, then DATA_DIR/panel.env, then this command's `defaults`. */
export async function loadConfig(env: Env, defaults: Record<string, string> = {}): Promise<Config> {
  const text = await readFile(settingsFile(env), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const file = withoutEmpty(parse(text))
  const environment = withoutEmpty(env)
  return parseConfig(
    { ...defaults, ...file, ...environment },
    { ...sourcesOf('file', file), ...sourcesOf('environment', environment) }
  )
}

const sourcesOf = (source: GivenBy, values: object): Record<string, GivenBy> =>
  Object.fromEntries(variableNames.filter((name) => name in values).map((name) => [name, source]))

/** On the first run, generates SESSION_SECRET and ENCRYPTION_KEY unless the environment provides them. */
export async function ensureSecrets(env: Env): Promise<void> {
  const path = settingsFile(env)
  await mkdir(resolve(path, '..'), { recursive: true, mode: 0o700 })
  const secrets = ['SESSION_SECRET', 'ENCRYPTION_KEY']
    .filter((name) => !env[name])
    .map((name) => `${name}=${randomBytes(32).toString('hex')}`)
  if (secrets.length === 0) return
  const text = `# Created on the first start. Keep a copy: without ENCRYPTION_KEY the stored secrets cannot be read.\n${secrets.join('\n')}\n`
  // wx: with two concurrent first starts only one writes, and a key is never overwritten.
  await writeFile(path, text, { mode: 0o600, flag: 'wx' }).then(
    () => step(`Wrote new secrets to ${path}`),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    }
  )
}

function withoutEmpty(env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
  )
}
