import { constants } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostsFiles } from './hosts-files.ts'

export function createLocalHostsFiles(directory: string): HostsFiles {
  const makeDirectory = () => mkdir(directory, { recursive: true, mode: 0o711 })
  return {
    async write(uid, text) {
      const path = join(directory, String(uid))
      await makeDirectory()
      await writeInPlace(path, text)
      return path
    },
    async list() {
      await makeDirectory()
      return (await readdir(directory)).map(Number)
    },
    remove: (uid) => rm(join(directory, String(uid)), { force: true })
  }
}

/** Containers mount the file itself, so it must stay the same one. The caller repeats a write that a crash interrupted. */
async function writeInPlace(path: string, text: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o644)
  try {
    const bytes = Buffer.from(text)
    if (bytes.equals(await file.readFile())) return
    await file.write(bytes, 0, bytes.length, 0)
    await file.truncate(bytes.length)
  } finally {
    await file.close()
  }
}
