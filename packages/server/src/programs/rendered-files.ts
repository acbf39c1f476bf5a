import { rename, rm } from 'node:fs/promises'
import { writeFileAtomically } from '../infra/disk/atomic-file.ts'
import { readIfExists } from '../infra/disk/read-if-exists.ts'

export interface RenderedFile {
  path: string
  content: string
  mode?: number
}

const candidateOf = ({ path }: RenderedFile) => `${path}.candidate`

export async function findChanged(files: readonly RenderedFile[]): Promise<RenderedFile[]> {
  const present = await Promise.all(files.map(({ path }) => readIfExists(path)))
  return files.filter(({ content }, index) => content !== present[index])
}

/** Writes and checks each file next to its destination; if one is refused, all candidates are removed. */
export async function writeCandidates(
  files: readonly RenderedFile[],
  check: (candidate: string) => Promise<void>
): Promise<void> {
  try {
    for (const file of files) {
      await writeFileAtomically(candidateOf(file), file.content, file.mode)
      await check(candidateOf(file))
    }
  } catch (error) {
    for (const file of files) await rm(candidateOf(file), { force: true })
    throw error
  }
}

/** Moves checked candidates into place. Resolves with a rollback function; undefined if a file did not exist before. */
export async function swapCandidates(files: readonly RenderedFile[]): Promise<(() => Promise<void>) | undefined> {
  const previous = await Promise.all(files.map(({ path }) => readIfExists(path)))
  for (const file of files) await rename(candidateOf(file), file.path)
  if (previous.includes(undefined)) return undefined
  return async () => {
    for (const [index, { path, mode }] of files.entries()) await writeFileAtomically(path, previous[index]!, mode)
  }
}
