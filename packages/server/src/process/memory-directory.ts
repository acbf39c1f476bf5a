import { statfs } from 'node:fs/promises'
import { makePrivateDirectory, makeRuntimeDirectory } from './runtime-directory.ts'

interface MemoryDirectory {
  path: string
  isInMemory: boolean
}

const inMemoryTypes: readonly number[] = [0x01021994, 0x858458f6] // tmpfs, ramfs

/** Private directory for plaintext secrets: on tmpfs if there is one, so cleared on reboot and never on disk. */
export async function makeMemoryDirectory(stateDirectory: string, sharedMemory = '/dev/shm'): Promise<MemoryDirectory> {
  const runtimeDirectory = await makeRuntimeDirectory(stateDirectory)
  if (await isInMemory(runtimeDirectory)) return { path: runtimeDirectory, isInMemory: true }
  if (await isInMemory(sharedMemory))
    return { path: await makePrivateDirectory(sharedMemory, stateDirectory), isInMemory: true }
  return { path: runtimeDirectory, isInMemory: false }
}

async function isInMemory(path: string): Promise<boolean> {
  try {
    return inMemoryTypes.includes((await statfs(path)).type)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
