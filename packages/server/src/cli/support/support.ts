import { createWriteStream } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Config } from '../../config.ts'
import { readIfExists } from '../../infra/disk/read-if-exists.ts'
import { addText, tarOf } from '../../infra/image-builder/tar-entries.ts'
import { run } from '../../infra/process/run.ts'
import { messageOf } from '../../text/message-of.ts'
import { redacted } from '../../text/redacted.ts'
import { type CommandContext, step } from '../command.ts'
import { fetchHealth, findingsOf, renderTable } from '../doctor.ts'
import { type LogPart, logPartNames, logParts } from '../logs/log-parts.ts'
import { readTail } from '../logs/log-source.ts'
import { loadConfig } from '../settings.ts'
import { withStore } from '../store.ts'
import { listLocalSecrets, listStoreSecrets } from './known-secrets.ts'
import { readMachineFacts } from './machine-facts.ts'
import { readStoreFacts } from './store-facts.ts'

const maxLogBytes = 512 * 1024

const readme = `What ./panel support has collected: versions, settings, the report of ./panel doctor, the state of the
programs, recent jobs and events, the rendered configuration files and the ends of the logs.

Passwords, keys and tokens are replaced by [redacted]: every secret of the store and of the settings, and whatever else
looks like one. Hostnames, IP addresses and email addresses that the logs mention are still in it.
`

/** `./panel support [file]`: one archive for the person who helps with this server. */
export async function support({ args, env }: CommandContext): Promise<void> {
  const [given, ...rest] = args
  if (given?.startsWith('-') || rest.length > 0) throw new Error('Usage: ./panel support [file.tar.gz]')
  const path = resolve(given ?? `panel-support-${new Date().toISOString().replace(/[:.]/g, '-')}.tar.gz`)
  const files = await collect(env)
  await writeArchive(path, files)
  process.stdout.write(`${path}\n`)
  step('Secrets are redacted. Look through it before you send it: hostnames and addresses in the logs are not')
}

/** Texts by file name, without secrets. */
async function collect(env: CommandContext['env']): Promise<Record<string, string>> {
  const base = await loadConfig(env, { SESSION_SECRET: 'only for a support archive, never stored by it' })
  const secrets = await listLocalSecrets(base)
  const { config, facts, isStoreRead } = await withStore(env, async (store) => {
    secrets.push(...(await listStoreSecrets(store)), ...(await listLocalSecrets(store.config)))
    return {
      config: store.config,
      facts: await readStoreFacts(store, (text) => redacted(text, secrets)),
      isStoreRead: true
    }
  }).catch((error: unknown) => {
    step(`The store cannot be read, so jobs, events and logs are skipped: ${messageOf(error)}`)
    return { config: base, facts: { 'store/problem.txt': `${messageOf(error)}\n` }, isStoreRead: false }
  })
  const files: Record<string, string> = {
    'README.txt': readme,
    ...facts,
    ...(await readMachineFacts(config, run)),
    'doctor.txt': renderTable(await findingsOf(config)),
    'health.json': JSON.stringify((await fetchHealth(config)) ?? 'The panel does not respond', null, 1),
    ...(await readConfigurations(config)),
    // Without the store its secrets are not known, and a log might have one.
    ...(isStoreRead ? await readLogs(config) : {})
  }
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, redacted(text, secrets)]))
}

async function readConfigurations(config: Config): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const name of logPartNames) {
    const part: LogPart = logParts[name]
    for (const path of (await part.files(config)).configuration ?? []) {
      const text = await readIfExists(path)
      if (text !== undefined) files[`configuration/${name}/${basename(path)}`] = text
    }
  }
  return files
}

async function readLogs(config: Config): Promise<Record<string, string>> {
  const texts = await Promise.all(
    logPartNames.map(
      async (name) => [join('logs', `${name}.log`), (await readTail(name, config, run)).slice(-maxLogBytes)] as const
    )
  )
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

async function writeArchive(path: string, files: Readonly<Record<string, string>>): Promise<void> {
  const folder = basename(path).replace(/\.(tar\.gz|tgz)$/, '')
  const tar = tarOf(async (pack) => {
    for (const [name, text] of Object.entries(files)) await addText(pack, `${folder}/${name}`, text)
  })
  // wx: never writes into a file that another user has put there.
  await pipeline(tar, createGzip(), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}
