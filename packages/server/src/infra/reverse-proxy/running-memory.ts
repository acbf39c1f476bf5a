import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readIfExists } from '../disk/read-if-exists.ts'
import type { CrtLines } from './crt-list.render.ts'
import { indexRunning, type RunningCertificates } from './running-certificates.ts'

/** What this process knows of the certificates that run, for as long as nobody else can have changed them. */
export interface RunningMemory {
  /** What runs; undefined where that is not known for sure. */
  recall(): Promise<RunningCertificates | undefined>
  /** As this process has left it, which a proxy that has started since may lack. */
  recallOwn(): Promise<RunningCertificates | undefined>
  /**
   * As recall, before a change: from here on nobody trusts what they know, until this process says what runs. Whoever fails in the
   * middle, or is killed, leaves nothing that is trusted.
   */
  begin(): Promise<RunningCertificates | undefined>
  forget(): void
  /** After the whole of a change. */
  keep(running: RunningCertificates | CrtLines): void
}

/**
 * Known of one worker of the proxy, as another one began from its file, and under one mark: whoever changes certificates writes a new one
 * before. A mark that is lost or torn is somebody else's; it need not outlive the machine, whose proxy begins from its file too.
 * @param readWorker tells one worker of the proxy from the next
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
