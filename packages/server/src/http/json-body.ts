import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { threadScript, WorkerThreadError } from '../infra/worker-thread/worker-thread.ts'
import { createThreadPool } from '../thread-pool.ts'
import { callerKey } from './admission.ts'

/** From here on a body takes longer to be read than all the rest of most requests. */
const largeCharacters = 256 * 1024

/** What the thread makes of a body (json-body.worker.ts). */
export type ParsedBody = { value: unknown } | { problem: 'MALFORMED_JSON' | 'VALIDATION_ERROR'; message: string }

const largeBodies = createThreadPool<string, ParsedBody>(threadScript('./json-body.worker', import.meta.url), {
  what: 'large requests',
  answerWithinMs: 10_000
})

/**
 * JSON only: Fastify would also take text/plain, which a foreign page can send without a preflight. An empty body is no body,
 * since clients announce JSON on a POST without one.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else if (body.length < largeCharacters) void parse(request, body as string, done)
    else
      parseLarge(callerKey(request), body as string).then(
        (value) => done(null, value),
        (error: Error) => done(error)
      )
  })
}

async function parseLarge(key: string, body: string): Promise<unknown> {
  const parsed = await largeBodies.run(key, body).catch((cause: unknown) => {
    throw cause instanceof WorkerThreadError
      ? new AppError('VALIDATION_ERROR', 'The body could not be read: it is too complex', { cause })
      : cause
  })
  if ('problem' in parsed) throw new AppError(parsed.problem, parsed.message)
  return parsed.value
}
