import { knownSentences } from '@panel/contract/sentences'
import type { WordpressTaskProblem } from '@panel/contract/wordpress-care'
import { wordpressTaskProblemTexts } from '@panel/contract/wordpress-care-texts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { oneLine } from '../../text/one-line.ts'

/** Why a task ended, as its row keeps it. */
export const taskProblem = (problem: WordpressTaskProblem[number]): AppError => new AppError('CONFLICT', problem)

const maxAnswer = 500

/** What a failure means for the owner. Texts of others, such as the database server, are quoted. */
export function problemOfTask(error: unknown): WordpressTaskProblem {
  if (error instanceof AppError) {
    const known = knownSentences(wordpressTaskProblemTexts, error.sentences)
    if (known.length > 0) return known
    if (spaceCodes.includes(error.code)) return quoting('COPY_TOO_LARGE', error.message)
    if (error.code === 'CONFLICT' || error.code === 'DATABASE_SERVER_UNAVAILABLE')
      return quoting('TABLES_LOCKED', error.message)
  }
  if (error instanceof AdapterError) {
    if (error.kind === 'disk-full' || error.kind === 'too-large') return quoting('COPY_TOO_LARGE', error.sentence)
    if (databaseKinds.includes(error.kind)) return quoting('TABLES_LOCKED', error.sentence)
  }
  return [{ code: 'TASK_BROKE' }]
}

const spaceCodes: readonly string[] = ['QUOTA_EXCEEDED', 'DISK_FULL']
const databaseKinds: readonly string[] = ['statements-refused', 'database-server-unavailable', 'database-dump-failed']

const quoting = (code: 'COPY_TOO_LARGE' | 'TABLES_LOCKED', text: string): WordpressTaskProblem => [
  { code, values: { answer: oneLine(text, maxAnswer) } }
]
