import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readIfExists } from '../disk/read-if-exists.ts'
import type { CrtLines } from './crt-list.render.ts'
import { indexRunning, type RunningCertificates } from './running-certificates.ts'

/** Caches the running certificates for as long as no other process can have changed them. */
export interface RunningMemory {
  recall(): Promise<RunningCertificates | undefined>
  /** What this process last set; a proxy started since may lack it. */
  recallOwn(): Promise<RunningCertificates | undefined>
  /** Starts a change: invalidates the cache of every process until `keep`, also after a crash. */
  begin(): Promise<RunningCertificates | undefined>
  forget(): void
  keep(running: RunningCertificates | CrtLines): void
}

/**
 * Valid for one proxy worker (a new one loads the file) and one mark: every process writes a new mark before changing
 * certificates. A missing or torn mark matches no process's mark. The mark need not survive a reboot, after which the
 * proxy loads the file.
 * @param readWorker pid of the current proxy worker
 */
export function createRunningMemory(markPath: string, readWorker: () => Promise<number>): RunningMemory {
  let known: { running: RunningCertificates; worker: number; mark: string } | undefined
  let current = { worker: Number.NaN, mark: '' }

  const recallOwn = async () => (known && known.mark === (await readIfExists(markPath)) ? known.running : undefined)
  const isTrusted = async (worker: number) => known?.worker === worker && (await recallOwn()) !== undefined
  return {
    recallOwn,
    recall: async () => (known && (await isTrusted(await readWorker())) ? known.running : undefined),
    async begin() {
      const worker = await readWorker()
      const running = (await isTrusted(worker)) ? known?.running : undefined
      known = undefined
      current = { worker, mark: randomBytes(16).toString('hex') }
      await mkdir(dirname(markPath), { recursive: true, mode: 0o700 })
      await writeFile(markPath, current.mark, { mode: 0o600 })
      return running
    },
    forget() {
      known = undefined
    },
    keep(running) {
      known = { ...current, running: running instanceof Map ? indexRunning(running) : (running as RunningCertificates) }
    }
  }
}
