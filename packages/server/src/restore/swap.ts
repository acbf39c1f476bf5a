import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { exists } from '../infra/disk/exists.ts'
import { completedMark, stagedDataDirectory } from './staged-paths.ts'

const Mark = z.object({
  moves: z.array(z.object({ from: z.string(), to: z.string() })),
  missing: z.array(z.string())
})
type Mark = z.infer<typeof Mark>
const previousName = 'before-restore'

/** After this, an interrupted restore is only finished. */
export async function markCompleted(dataDirectory: string, mark: Mark): Promise<void> {
  const path = completedMark(dataDirectory)
  await writeFile(`${path}.new`, JSON.stringify(mark), { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}

export const isCompleted = (dataDirectory: string): Promise<boolean> => exists(completedMark(dataDirectory))

/**
 * Moves the restored panel into place, entry by entry, and what was there into `before-restore`. A run that follows an
 * interrupted one does what is left. Resolves with what could not be restored.
 */
export async function swapIn(dataDirectory: string): Promise<string[]> {
  const { moves, missing } = Mark.parse(JSON.parse(await readFile(completedMark(dataDirectory), 'utf8')))
  const kept = new Set([stagedDataDirectory(dataDirectory), completedMark(dataDirectory)])
  for (const { from, to } of moves) {
    if (!(await exists(from))) continue
    await mkdir(to, { recursive: true, mode: 0o711 })
    for (const name of await readdir(from)) {
      const [source, target] = [join(from, name), join(to, name)]
      if (kept.has(source)) continue
      if (await exists(target)) {
        await mkdir(join(to, previousName), { recursive: true, mode: 0o700 })
        await rename(target, join(to, previousName, name))
      }
      await rename(source, target)
    }
    // The last one has the mark: without it nothing is left to do.
    await rm(from, { recursive: true, force: true })
  }
  return missing
}

/** Where a panel that was replaced is kept; undefined if there is none. */
export async function findPrevious(directory: string): Promise<string | undefined> {
  const path = join(directory, previousName)
  return (await exists(path)) ? path : undefined
}

/** Half a panel must not start: the next start would make a new one around it. */
export async function refuseUnfinishedRestore(dataDirectory: string): Promise<void> {
  const staged = stagedDataDirectory(dataDirectory)
  // Empty: killed after the last move.
  if (!(await exists(staged)) || (await readdir(staged)).length === 0) return
  throw new Error(
    `A restore was interrupted. Run the same ./panel restore again to finish it${(await isCompleted(dataDirectory)) ? '' : `, or remove ${staged} to give it up`}.`
  )
}
