import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { connectLimitMs } from '../db/connect-limit.ts'
import { dumpStore, isAnyAccount, loadStore } from '../db/store-dump.ts'
import { syncDirectory, writeFileAtomically } from '../infra/disk/atomic-file.ts'
import { exists } from '../infra/disk/exists.ts'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import { freeDiskBytes } from '../infra/disk/free-disk-bytes.ts'
import { run } from '../infra/process/run.ts'
import { createLogger } from '../process/logger.ts'
import { panelSettingsPath, storeDirectory } from '../process/paths.ts'
import { lockState } from '../process/state-lock.ts'
import { startEmbeddedStore } from '../server.ts'
import { sizeText } from '../text/size-text.ts'
import { stopIn } from '../upgrade/store-copy.ts'
import { prepareJobs } from '../wiring/own.ts'
import { ask } from './ask.ts'
import { type CommandContext, step } from './command.ts'
import { loadConfig } from './settings.ts'
import { withStoreAddress } from './store.ts'

const variable = 'NEW_DATABASE_URL'
const usage = `Usage: ./panel store [move [--back] [--replace]]

Without "move" it shows where the panel's database is. "move" copies the database into another PostgreSQL database, which the panel uses from its next start;
--back moves it into the database that the panel runs itself. Stop the panel first. The URL (postgres://user:password@host:5432/name) is prompted for, or
read from ${variable} or from standard input. --replace: also if that database has accounts of a panel, which are removed.`

/** The oldest PostgreSQL that the tests run on. */
const oldestVersion = 15

const Url = z.url({ protocol: /^postgres(ql)?$/, error: 'The URL must begin with postgres://' })

/** `./panel store`: where the panel keeps its rows, and a move to another database while the panel is stopped. */
export async function store({ args, env }: CommandContext): Promise<void> {
  const { isMove, isBack, mayReplace } = readArguments(args)
  if (!isMove) return show(env)
  if (env.DATABASE_URL)
    throw new Error('DATABASE_URL is set in the environment or the settings file of the service. Write that line into panel.env in DATA_DIR instead, so that it can be replaced.') // oxfmt-ignore
  const config = await loadConfig(env)
  const lock = await lockState(config.DATA_DIR)
  try {
    const kept = await (isBack ? moveBack(config) : moveOut(config, env, mayReplace))
    process.stdout.write(
      `The database was moved. Start the panel, and remove the former database when everything works: ${kept}\n`
    )
  } finally {
    await lock.release()
  }
}

function readArguments(args: readonly string[]) {
  try {
    const options = { back: { type: 'boolean', default: false }, replace: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const isMove = positionals.join(' ') === 'move'
    if (isMove || (args.length === 0 && positionals.length === 0))
      return { isMove, isBack: values.back, mayReplace: values.replace }
  } catch {
    // An unknown option.
  }
  throw new Error(usage)
}

const show = (env: CommandContext['env']): Promise<void> =>
  withStoreAddress(env, async (config, url) => {
    const { version, bytes } = await inspect(url)
    const place = config.DATABASE_URL === undefined ? storeDirectory(config) : withoutPassword(url)
    process.stdout.write(`PostgreSQL ${version}, ${sizeText(bytes)}: ${place}\n`)
  })

/** Resolves with where the former database is. */
async function moveOut(config: Config, env: CommandContext['env'], mayReplace: boolean): Promise<string> {
  const { data: target, error } = Url.safeParse(await readTarget(env))
  if (target === undefined) throw new Error(error.issues[0]!.message)
  const { version, isReadOnly } = await inspect(target)
  if (Number.parseInt(version, 10) < oldestVersion)
    throw new Error(`PostgreSQL there is ${version}. The panel needs ${oldestVersion} or newer.`)
  if (isReadOnly) throw new Error('That server is a standby, which accepts no changes. Use the address of the primary.')
  if (!mayReplace && (await isAnyAccount(target)))
    throw new Error('That database already has accounts of a panel. Use an empty one, or --replace.')
  await withStoreAddress(env, async (_, source) => {
    await requireUnused(source)
    await copyRows(config, source, target)
  })
  // From here on the new database is the right one. A move that was interrupted before is repeated with --replace.
  await setDatabaseUrl(config, target)
  return config.DATABASE_URL === undefined ? setAside(storeDirectory(config)) : withoutPassword(config.DATABASE_URL)
}

async function moveBack(config: Config): Promise<string> {
  const { DATABASE_URL: source } = config
  if (source === undefined) throw new Error('The panel already runs its database itself.')
  await requireUnused(source)
  const directory = storeDirectory(config)
  if (await exists(directory)) step(`Kept what an earlier move left: ${await setAside(directory)}`)
  const started = await startEmbeddedStore(config, createLogger('warn'))
  try {
    await copyRows(config, source, started.url)
  } finally {
    await started.stop()
  }
  await setDatabaseUrl(config, undefined)
  return withoutPassword(source)
}

async function readTarget(env: CommandContext['env']): Promise<string> {
  const given = env[variable]
  if (given !== undefined) return given
  const isTyped = process.stdin.isTTY
  return (
    isTyped ? await ask('URL of the new database', undefined, { isSecret: true }) : await text(process.stdin)
  ).trim()
}

async function copyRows(config: Config, source: string, target: string): Promise<void> {
  const work = join(config.DATA_DIR, 'store-move')
  await rm(work, { recursive: true, force: true })
  await mkdir(work, { mode: 0o700 })
  try {
    const { bytes } = await inspect(source)
    const free = (await freeDiskBytes(work)) ?? 0
    if (free < bytes) throw new Error(`The copy takes up to ${sizeText(bytes)}, and only ${sizeText(free)} are free.`)
    step('Reading the database')
    const dump = await dumpStore(source, work, new AbortController().signal)
    step(`Writing ${dump.tables.reduce((sum, { rows }) => sum + rows, 0)} rows`)
    await loadStore(target, work, dump, () => prepareJobs(createLogger('warn'), target))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Keeps the other lines as they are. */
async function setDatabaseUrl(config: Config, url: string | undefined): Promise<void> {
  const path = panelSettingsPath(config)
  const lines = ((await readIfExists(path)) ?? '')
    .split('\n')
    .filter((line) => !/^\s*(export\s+)?DATABASE_URL\s*=/.test(line))
  while (lines.at(-1) === '') lines.pop()
  if (url !== undefined) lines.push(`DATABASE_URL='${new URL(url).href.replaceAll("'", '%27')}'`)
  await writeFileAtomically(path, `${lines.join('\n')}\n`)
}

/** Its server may still run, if a command that started it was killed. */
async function setAside(directory: string): Promise<string> {
  await stopIn(directory, run)
  const to = `${directory}-before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  await rename(directory, to)
  await syncDirectory(join(directory, '..'))
  return to
}

async function inspect(url: string): Promise<{ version: string; bytes: number; isReadOnly: boolean }> {
  const [row] = await query<{ version: string; bytes: string; isReadOnly: boolean }>(
    url,
    `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes, pg_is_in_recovery() as "isReadOnly"`
  )
  return { ...row!, bytes: Number(row!.bytes) }
}

const endsWithinMs = 5_000

/** Rejects while a process of the panel runs on the database, perhaps on another machine; a connection that was closed is there for another moment. */
async function requireUnused(url: string): Promise<void> {
  for (const deadline = performance.now() + endsWithinMs; ; await sleep(200)) {
    const used = await query(
      url,
      `select from pg_stat_activity where datname = current_database() and application_name in ('panel-listen', 'panel-worker')`
    )
    if (used.length === 0) return
    if (performance.now() > deadline)
      throw new Error('The panel runs on this database. Stop all of its processes first, ./panel serve too.')
  }
}

async function query<Row extends pg.QueryResultRow>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectLimitMs, query_timeout: connectLimitMs }) // oxfmt-ignore
  try {
    await client.connect()
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end().catch(() => {}) // It may never have connected.
  }
}

function withoutPassword(address: string): string {
  const url = new URL(address)
  url.password = ''
  return url.href
}
