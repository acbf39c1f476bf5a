import { link, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from '../disk/exists.ts'
import type { Run } from '../process/process.ts'

/** The key with which the panel signs in to machines: its path and its public part. Made on first use. */
export async function ensurePanelKey(run: Run, directory: string): Promise<{ keyPath: string; publicKey: string }> {
  const keyPath = join(directory, 'id_ed25519')
  if (!(await exists(keyPath))) await makeKey(run, directory, keyPath)
  const { stdout } = await run(['ssh-keygen', '-y', '-f', keyPath], { timeoutMs: 10_000 })
  return { keyPath, publicKey: stdout.trim() }
}

/** Linked into place, so that of two processes one wins and no key is half written. */
async function makeKey(run: Run, directory: string, keyPath: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const draftDirectory = await mkdtemp(join(directory, 'draft-'))
  try {
    const draft = join(draftDirectory, 'key')
    await run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', 'hosting-panel', '-f', draft], {
      timeoutMs: 10_000
    })
    await link(draft, keyPath).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draftDirectory, { recursive: true, force: true })
  }
}
