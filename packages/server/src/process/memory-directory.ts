import { statfs } from 'node:fs/promises'
import { makePrivateDirectory, makeRuntimeDirectory } from './runtime-directory.ts'

interface MemoryDirectory {
  path: string
  /** False where the machine has no file system in memory: what is written there reaches the disk. */
  isInMemory: boolean
}

// linux/magic.h
const inMemoryTypes: readonly number[] = [0x01021994, 0x858458f6] // tmpfs, ramfs

/**
 * A private directory for plaintext secrets of the programs that belong to `stateDirectory`: gone after a restart of the machine, and
 * never on its disk (unless it swaps). The runtime directory if that is in memory (as under systemd), else one in the machine's
 * shared memory.
 */
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
