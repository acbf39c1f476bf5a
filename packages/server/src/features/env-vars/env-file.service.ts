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

/** Parses a .env text in a thread: a large one would hold up other requests. Rejects with VALIDATION_ERROR what takes too long. */
export async function readEnvFile(content: string): Promise<EnvFile> {
  const { entries, skipped } = await runInWorkerThread<ParsedEnvFile>(script, content, timeLimitMs).catch(
    (cause: unknown) => {
      throw cause instanceof WorkerThreadError
        ? new AppError('VALIDATION_ERROR', 'The text could not be read as a .env file: it is too complex', { cause })
        : cause
    }
  )
  return { entries, skipped: skipped.map(({ line, code }) => skippedVariable(line, { code })) }
}

/** A line that is passed over, and why. */
export const skippedVariable = (line: number, why: Sentence<keyof typeof skippedVariableTexts>): SkippedVariable => ({
  line,
  reason: sentenceText(skippedVariableTexts, [why]),
  sentences: [why]
})
