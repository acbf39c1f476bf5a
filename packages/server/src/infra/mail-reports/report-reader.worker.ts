// In a thread: parses untrusted data.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { parseDmarcReport } from './dmarc-report.ts'
import { readReportFiles } from './report-files.ts'

setPriority(10)
const reports = []
for (const file of await readReportFiles(Buffer.from(workerData as Uint8Array))) {
  const report = parseDmarcReport(file)
  if (report) reports.push(report)
}
parentPort!.postMessage(reports)
