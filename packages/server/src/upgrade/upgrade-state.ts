import { mkdir, open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import { mayMove, type UpgradePhase, upgradePhases } from './upgrade.machine.ts'

const Version = z.object({ version: z.string(), directory: z.string() })
const UpgradeState = z.object({
  id: z.string(),
  phase: z.enum(upgradePhases),
  from: Version,
  to: Version,
  earlier: z.array(z.string()).default([]),
  requestedAt: z.string(),
  endedAt: z.string().optional(),
  problem: z.string().optional()
})
export type UpgradeState = z.infer<typeof UpgradeState>

/** Below DATA_DIR: the state, and the copy of the store. */
export const upgradeDirectory = (dataDirectory: string): string => join(dataDirectory, 'upgrade')

const statePath = (dataDirectory: string) => join(upgradeDirectory(dataDirectory), 'state.json')

export async function readUpgrade(dataDirectory: string): Promise<UpgradeState | undefined> {
  const text = await readIfExists(statePath(dataDirectory))
  return text === undefined ? undefined : UpgradeState.parse(JSON.parse(text))
}

/** Replaces the whole file, on disk when this resolves: what follows may be interrupted by a power failure. */
export async function writeUpgrade(dataDirectory: string, state: UpgradeState): Promise<void> {
  const directory = upgradeDirectory(dataDirectory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = statePath(dataDirectory)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(state))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  await syncDirectory(directory)
}

export async function moveUpgrade(
  dataDirectory: string,
  state: UpgradeState,
  phase: UpgradePhase,
  more: Partial<Pick<UpgradeState, 'problem' | 'endedAt'>> = {}
): Promise<UpgradeState> {
  if (!mayMove(state.phase, phase)) throw new Error(`An upgrade cannot go from ${state.phase} to ${phase}`)
  const moved = { ...state, ...more, phase }
  await writeUpgrade(dataDirectory, moved)
  return moved
}

/** A rename is only on disk when the directory is. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Versions that were unpacked into `directory`. */
export const listVersions = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
