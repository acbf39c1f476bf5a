import { type SkippedVariable, skippedVariableTexts } from '@panel/contract/env-vars'
import { sentenceText, type Sentence } from '@panel/contract/sentences'
import { AppError } from '../../errors.ts'
import { runInWorkerThread, threadScript, WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'
import type { EnvEntry, ParsedEnvFile } from './env-format.policy.ts'

const script = threadScript('./env-file.worker', import.meta.url)
const timeLimitMs = 3_000

export interface EnvFile {
  entries: EnvEntry[]
  skipped: SkippedVariable[]
}

/** In a worker thread, so that large files do not block other requests. Rejects with VALIDATION_ERROR on timeout. */
export async function readEnvFile(content: string): Promise<EnvFile> {
  const { entries, skipped } = await runInWorkerThread<ParsedEnvFile>(script, content, timeLimitMs).catch(
    (cause: unknown) => {
      throw cause instanceof WorkerThreadError
        ? new AppError('VALIDATION_ERROR', 'The .env file is too complex to parse. Split it into smaller ones.', {
            cause
          })
        : cause
    }
  )
  return { entries, skipped: skipped.map(({ line, code }) => skippedVariable(line, { code })) }
}

export const skippedVariable = (line: number, why: Sentence<keyof typeof skippedVariableTexts>): SkippedVariable => ({
  line,
  reason: sentenceText(skippedVariableTexts, [why]),
  sentences: [why]
})
