import { runInWorkerThread, threadScript, WorkerThreadError } from '../worker-thread/worker-thread.ts'
import type { DmarcReport, ReadMailReports } from './mail-reports.ts'

const script = threadScript('./report-reader.worker', import.meta.url)
const timeoutMs = 20_000

/** A message that crashes its thread or times out yields no reports, since a retry would do the same. */
export const createReportReader =
  ({ onError }: { onError: (error: unknown) => void }): ReadMailReports =>
  (message) =>
    runInWorkerThread<readonly DmarcReport[]>(script, message, timeoutMs).catch((error: unknown) => {
      if (!(error instanceof WorkerThreadError)) throw error
      onError(error)
      return []
    })
