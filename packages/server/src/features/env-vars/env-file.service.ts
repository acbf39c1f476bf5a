import { type SkippedVariable, skippedVariableTexts } from '@panel/contract/env-vars'
import { sentenceText, type Sentence } from '@panel/contract/sentences'
import { AppError } from '../../errors.ts'
import { runInWorkerThread, WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'

const timeLimitMs = 3_000

interface EnvEntry {
  key: string
  value: string
  /** Where it begins; of several of one key the last, which counts. */
  line: number
}

/** A raw .env text, read by dotenv. */
export interface EnvFile {
  entries: EnvEntry[]
  /** Lines that are no entry: as many as a person may read. */
  skipped: SkippedVariable[]
}

/** The entries of a raw .env text, and the lines that are none. Rejects with VALIDATION_ERROR what takes too long to read. */
export async function readEnvFile(content: string): Promise<EnvFile> {
  const script = new URL('./env-file.worker.mjs', import.meta.url)
  const { entries, skipped } = await runInWorkerThread<ReadFile>(script, content, timeLimitMs).catch(
    (cause: unknown) => {
      throw cause instanceof WorkerThreadError
        ? new AppError('VALIDATION_ERROR', 'The text could not be read as a .env file: it is too complex', { cause })
        : cause
    }
  )
  return { entries, skipped: skipped.map(({ line, code }) => skippedVariable(line, { code })) }
}

interface ReadFile extends Pick<EnvFile, 'entries'> {
  skipped: { line: number; code: SkippedVariableCode }[]
}

type SkippedVariableCode = keyof typeof skippedVariableTexts

/** A line that is passed over, and why. */
export const skippedVariable = (line: number, why: Sentence<SkippedVariableCode>): SkippedVariable => ({
  line,
  reason: sentenceText(skippedVariableTexts, [why]),
  sentences: [why]
})
