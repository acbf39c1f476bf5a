import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../process/process.ts'
import { syncDirectory } from './atomic-file.ts'
import { exists } from './exists.ts'
import { freeDiskBytes } from './free-disk-bytes.ts'
import { reserveStep } from './reserve.policy.ts'

interface ReserveOptions {
  path: string
  bytes: number
  run: Run
  onChange: (step: 'release' | 'take', free: number) => void
  onError: (error: unknown) => void
}

const checkEveryMs = 2_000

export async function watchReserve(options: ReserveOptions): Promise<{ stop(): Promise<void> }> {
  const stopped = new AbortController()
  const check = () => checkReserve(options).catch(options.onError)
  await check()
  const watching = (async () => {
    for (;;) {
      await sleep(checkEveryMs, undefined, { signal: stopped.signal })
      await check()
    }
  })().catch(() => {}) // aborted by stop
  return {
    async stop() {
      stopped.abort()
      await watching
    }
  }
}

/** For a program that ends before the reserve could be taken again: the panel does that. */
export async function releaseReserveOfFullDisk({ path, bytes }: Pick<ReserveOptions, 'path' | 'bytes'>): Promise<void> {
  const free = await freeDiskBytes(dirname(path))
  if (free === undefined || !(await exists(path))) return
  if (reserveStep({ free, bytes, isHeld: true }) === 'release') await rm(path, { force: true })
}

async function checkReserve({ path, bytes, run, onChange }: ReserveOptions): Promise<void> {
  const free = await freeDiskBytes(dirname(path))
  if (free === undefined) return
  const step = reserveStep({ free, bytes, isHeld: await exists(path) })
  if (step === undefined) return
  if (step === 'take') await take(path, bytes, run)
  else await rm(path, { force: true })
  onChange(step, free)
}

/** Allocates blocks; fails if the file system cannot guarantee all of them. */
async function take(path: string, bytes: number, run: Run): Promise<void> {
  const made = `${path}.new`
  try {
    await run(['fallocate', '--length', String(bytes), '--', made], { timeoutMs: 30_000 })
    await rename(made, path)
    await syncDirectory(dirname(path))
  } catch (error) {
    await rm(made, { force: true })
    throw error
  }
}
