import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { parse } from 'dotenv'
import type { PanelManifest } from '../features/backups/panel-manifest.ts'
import type { RepositoryPlace } from '../infra/backup-repository/backup-repository.ts'
import { createRestic } from '../infra/backup-repository/restic.ts'
import { run } from '../infra/process/run.ts'
import { createLogger } from '../process/logger.ts'
import { restorePanel } from '../restore/restore-panel.ts'
import { credentials, keyCredential, parseAddress, placeOf } from '../restore/restore-target.policy.ts'
import { panelSnapshots, type PanelSnapshot } from '../restore/snapshots.policy.ts'
import { ask } from './ask.ts'
import { type CommandContext, step } from './command.ts'
import { ensureDebianPackages, toolPackages } from './debian-packages.ts'

const usage = `Usage: ./panel restore <target> [--list] [--snapshot <id>] [--replace] [--yes] [--credentials <file>]

<target> is a folder (/mnt/backup/panel), sftp://user@host:port/path, s3:https://endpoint/bucket/prefix or rest:https://host/path.
The command prompts for the key of the target and its credentials, or reads them from the environment or from a file with lines such as
RESTORE_KEY=… ("-": standard input): ${[
  keyCredential,
  ...Object.values(credentials).flatMap((each) => Object.values(each))
]
  .map(({ variable }) => variable)
  .filter((name, index, all) => all.indexOf(name) === index)
  .join(', ')}.`

/** `./panel restore <target>`: a whole panel from a backup, onto a machine without one. */
export async function restore({ args, env }: CommandContext): Promise<void> {
  const { values, positionals } = readArguments(args)
  const given = { ...env, ...(values.credentials === undefined ? {} : parse(await readInput(values.credentials))) }
  const repository = { id: 'restore', ...(await readTarget(positionals[0]!, given)) }
  await install(toolPackages)
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => stopping.abort(new Error('Stopped. Run the same command again to restore.')))
  const { signal } = stopping
  const directory = await mkdtemp(join(tmpdir(), 'panel-restore-'))
  try {
    const backups = createRestic({ run, directory })
    if (values.list) {
      for (const { id, takenAt, installation } of panelSnapshots(await backups.listSnapshots(repository, signal)))
        process.stdout.write(`${id.slice(0, 8)}  ${takenAt.toISOString()}  installation ${installation}\n`)
      return
    }
    const missing = await restorePanel({
      dataDirectory: resolve(env.DATA_DIR || './data'),
      env,
      logger: createLogger('warn'),
      backups,
      repository,
      snapshot: values.snapshot,
      mayReplace: values.replace,
      install,
      confirm: (snapshot, manifest) => confirm(snapshot, manifest, { isAsked: !values.yes && process.stdin.isTTY, signal }), // oxfmt-ignore
      step,
      signal
    })
    for (const each of missing) process.stderr.write(`Not restored: ${each}\n`)
    process.stdout.write(
      'The panel is restored. Point its domain to this machine if it has another address, then run ./panel up: it builds the sites from their commits.\n'
    )
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const install = (packages: readonly string[]) => ensureDebianPackages(run, packages)

async function confirm(
  { id, takenAt, installation }: PanelSnapshot,
  { address, panelVersion }: PanelManifest,
  { isAsked, signal }: { isAsked: boolean; signal: AbortSignal }
): Promise<void> {
  step(`Snapshot ${id.slice(0, 8)} of ${takenAt.toISOString()}: ${address}, installation ${installation}, version ${panelVersion}`) // oxfmt-ignore
  if (isAsked && (await ask('Restore this panel? (yes/no)', signal)) !== 'yes') throw new Error('Stopped. Nothing was changed.') // oxfmt-ignore
}

function readArguments(args: readonly string[]) {
  try {
    const parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        list: { type: 'boolean', default: false },
        snapshot: { type: 'string' },
        replace: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        credentials: { type: 'string' }
      }
    })
    if (parsed.positionals.length === 1) return parsed
  } catch {
    // An unknown option.
  }
  throw new Error(usage)
}

const readInput = (path: string): Promise<string> => (path === '-' ? text(process.stdin) : readFile(path, 'utf8'))

async function readTarget(
  address: string,
  given: Readonly<Record<string, string | undefined>>
): Promise<{ place: RepositoryPlace; key: string }> {
  const parsed = parseAddress(address)
  const values: Record<string, string> = {}
  for (const [member, { variable, question, isFile, isOptional, isSecret }] of Object.entries(
    credentials[parsed.kind]
  )) {
    const value = given[variable] ?? (isOptional ? undefined : await askFor(question, variable, isSecret))
    if (value !== undefined) values[member] = isFile ? await readFile(value, 'utf8') : value
  }
  const key = given[keyCredential.variable] ?? (await askFor(keyCredential.question, keyCredential.variable, true))
  return { place: placeOf(parsed, values), key: key.trim() }
}

async function askFor(question: string, variable: string, isSecret = false): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error(`${question} is missing. Set ${variable}, or name a file with --credentials.`)
  return ask(question, undefined, { isSecret })
}
