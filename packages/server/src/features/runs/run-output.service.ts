import type { Dependencies } from '../../dependencies.ts'
import { WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'
import { messageOf } from '../../text/message-of.ts'
import { storable } from '../../text/storable.ts'
import { openMasker } from '../deployments/masking.service.ts'
import type { Variable } from '../deployments/secret-value.policy.ts'
import { appendOutput, trimOutput } from './run-output.repository.ts'

const flushAfterMs = 250
const chunkCharacters = 16 * 1024
const keptBytes = 1024 * 1024

export interface RunOutputWriter {
  /** Resolves when there is room for more. */
  write(text: string): Promise<void>
  end(): Promise<void>
}

/** Appends the output of a run in batches. Secrets are masked before anything is stored; the last MiB is kept. */
export function openRunOutput(
  deps: Pick<Dependencies, 'db' | 'logger'>,
  runId: string,
  variables: readonly Variable[]
): RunOutputWriter {
  const masker = openMasker(variables)
  let pending = ''
  let timer: NodeJS.Timeout | undefined
  let bytesSinceTrim = 0
  let hasFailed = false
  let writing: Promise<void> = Promise.resolve()

  const store = async (text: string) => {
    const stored = storable(text)
    if (stored === '') return
    for (const chunk of chunksOf(stored)) {
      await appendOutput(deps.db, runId, chunk)
      bytesSinceTrim += Buffer.byteLength(chunk)
    }
    if (bytesSinceTrim < keptBytes / 4) return
    bytesSinceTrim = 0
    await trimOutput(deps.db, runId, keptBytes)
  }
  const attempt = async (work: () => Promise<void>) => {
    if (hasFailed) return
    await work().catch((error: unknown) => {
      deps.logger.warn({ run: runId, error: messageOf(error) }, 'could not store the output of a run')
      // Without masking nothing may be shown; a chunk that the store refused is lost.
      hasFailed = error instanceof WorkerThreadError
    })
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = pending
    pending = ''
    writing = writing.then(() => attempt(async () => store(await masker.output(text))))
    return writing
  }
  return {
    async write(text) {
      pending += text
      if (pending.length >= chunkCharacters) return flush()
      timer ??= setTimeout(() => void flush(), flushAfterMs)
    },
    async end() {
      await flush()
      await attempt(async () => store(await masker.end()))
      await attempt(() => trimOutput(deps.db, runId, keptBytes))
      await masker.close()
    }
  }
}

/** Never splits a surrogate pair. */
function* chunksOf(text: string): Generator<string> {
  for (let from = 0, to; from < text.length; from = to) {
    to = Math.min(from + chunkCharacters, text.length)
    if (to < text.length && text.codePointAt(to - 1)! > 0xffff) to++
    yield text.slice(from, to)
  }
}
