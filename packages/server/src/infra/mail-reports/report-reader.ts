import { runInWorkerThread, threadScript, WorkerThreadError } from '../worker-thread/worker-thread.ts'
import type { DmarcReport, ReadMailReports } from './mail-reports.ts'

const script = threadScript('./report-reader.worker', import.meta.url)
const timeoutMs = 20_000

/** A message that ends its thread, by its size or by the time it takes, brings nothing: it would do so each time. */
export const createReportReader =
  ({ onError }: { onError: (error: unknown) => void }): ReadMailReports =>
  (message) =>
    runInWorkerThread<readonly DmarcReport[]>(script, message, timeoutMs).catch((error: unknown) => {
      if (!(error instanceof WorkerThreadError)) throw error
      onError(error)
      return []
    })
