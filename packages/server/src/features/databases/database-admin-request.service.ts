import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'

const Request = z.object({
  method: z.enum(['GET', 'HEAD', 'POST']),
  path: z
    .string()
    .max(64 * 1024)
    .startsWith('/adminer/'),
  headers: z.record(z.string(), z.string()),
  hasBody: z.boolean()
})

export const requestDatabaseAdmin = workerVerb('databases.admin', [Request], ask, { timeoutMs: Infinity })

async function ask(
  { databaseAdmin }: Pick<Dependencies, 'databaseAdmin'>,
  request: { method: string; path: string; headers: Readonly<Record<string, string>>; hasBody: boolean },
  { signal = new AbortController().signal, input }: WorkerCall
): Promise<{ status: number; headers: IncomingHttpHeaders; stream: Readable }> {
  const { method, path, headers, hasBody } = request
  const body = hasBody ? input : undefined
  const answer = await databaseAdmin.request({ method, path, headers, body, signal })
  return { status: answer.status, headers: answer.headers, stream: answer.body }
}
