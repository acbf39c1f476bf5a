import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { exists } from '../infra/disk/exists.ts'
import { freeDiskBytes } from '../infra/disk/free-disk-bytes.ts'
import { takeName } from '../infra/process/name-lock.ts'
import type { Run } from '../infra/process/process.ts'
import { programState, storeDirectory } from '../process/paths.ts'
import { version } from '../process/version.ts'
import { fetchRelease, placeRelease, unpackRelease } from './release-file.ts'
import { releaseProblem, roomProblem } from './release.policy.ts'
import { isFinished, replacedFolders } from './upgrade.machine.ts'
import { listVersions, readUpgrade, upgradeDirectory, type UpgradeState, writeUpgrade } from './upgrade-state.ts'

interface PrepareOptions {
  config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>
  /** Folder of the running version. */
  root: string
  /** Path or https URL; the signature is beside it, as <source>.minisig. */
  source: string
  publicKey: string
  run: Run
  step(text: string): void
}

/**
 * Verifies a release, unpacks it beside this version and requests the upgrade, which the process of `./panel up` does.
 * Rejects with a sentence for the administrator; nothing has changed then.
 */
export async function prepareUpgrade(options: PrepareOptions): Promise<UpgradeState> {
  const { config, root, source, publicKey, run, step } = options
  const current = await readUpgrade(config.DATA_DIR)
  if (current && !isFinished(current.phase))
    throw new Error(`An upgrade to ${current.to.version} is in progress. Wait until it has finished.`)
  const versions = versionsDirectory(config, root)
  const incoming = join(versions, '.incoming')
  const release = await takeName(upgradeDirectory(config.DATA_DIR))
  if (!release) throw new Error('Another upgrade is being prepared. Wait until it has ended.')
  try {
    step('Verifying the release')
    const file = await fetchRelease(source, { directory: incoming, publicKey, run })
    await requireRoom(config, versions, file.bytes)
    step(`Unpacking version ${file.version}`)
    const unpacked = await unpackRelease(file, { directory: incoming, run })
    const problem = releaseProblem(unpacked, file.kind, {
      version,
      platform: `${process.platform}-${process.arch}`,
      hasOwnNode: await exists(join(root, 'node/bin/node')),
      hasExternalStore: config.DATABASE_URL !== undefined
    })
    if (problem !== undefined) throw new Error(problem)
    const directory = join(versions, unpacked.version)
    await placeRelease(unpacked.folder, directory)
    await removeOthers(config, versions, [root, directory])
    const state: UpgradeState = {
      id: randomUUID(),
      phase: 'requested',
      from: { version, directory: root },
      to: { version: unpacked.version, directory },
      earlier: replacedFolders(current, root),
      requestedAt: new Date().toISOString()
    }
    await writeUpgrade(config.DATA_DIR, state)
    return state
  } finally {
    await rm(incoming, { recursive: true, force: true })
    await release()
  }
}

/** Beside the running version where that is in a directory for versions, as in the Debian package. */
function versionsDirectory(config: Pick<Config, 'DATA_DIR'>, root: string): string {
  const parent = dirname(root)
  return basename(parent) === 'versions' ? parent : join(programState(config), 'versions')
}

/** Versions that no upgrade needs any more. Those of the Debian package are dpkg's. */
async function removeOthers(config: Pick<Config, 'DATA_DIR'>, versions: string, kept: string[]): Promise<void> {
  if (versions !== join(programState(config), 'versions')) return
  for (const name of await listVersions(versions)) {
    const path = join(versions, name)
    if (!kept.includes(path) && !name.startsWith('.')) await rm(path, { recursive: true, force: true })
  }
}

async function requireRoom({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, versions: string, bytes: number): Promise<void> {
  await mkdir(versions, { recursive: true, mode: 0o755 })
  const [ofVersions, ofData] = await Promise.all([stat(versions), stat(DATA_DIR)])
  const problem = roomProblem({
    archiveBytes: bytes,
    storeBytes: await bytesBelow(storeDirectory({ DATA_DIR })),
    freeForVersions: (await freeDiskBytes(versions)) ?? 0,
    freeForData: (await freeDiskBytes(DATA_DIR)) ?? 0,
    isSameFileSystem: ofVersions.dev === ofData.dev
  })
  if (problem !== undefined) throw new Error(problem)
}

/** Of the allocated blocks. Files that disappear meanwhile do not count. */
export async function bytesBelow(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined)
    bytes += (found?.blocks ?? 0) * 512
  }
  return bytes
}

/** The key's line of a public key file of minisign, or the key itself. */
export async function readPublicKey(given: string): Promise<string> {
  const text = given.startsWith('RW') ? given : await readFile(given, 'utf8')
  const key = text.split('\n').find((line) => /^RW[A-Za-z0-9+/]{54}$/.test(line.trim()))
  if (key === undefined) throw new Error(`${given} is not a public key of minisign.`)
  return key.trim()
}
