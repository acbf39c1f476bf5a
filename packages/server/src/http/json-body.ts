import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { threadScript, WorkerThreadError } from '../infra/worker-thread/worker-thread.ts'
import { createThreadPool } from '../thread-pool.ts'
import { callerKey } from './admission.ts'
import { hasHalf, refusal } from './half-characters.ts'
import { mayHaveHalf, pathOfHalf } from './json-tree.policy.ts'

/** From here on a body takes longer to be read than all the rest of most requests. */
const largeCharacters = 256 * 1024

/** What the thread makes of a body (json-body.worker.ts). */
export type ParsedBody =
  { value: unknown } | { problem: 'MALFORMED_JSON' | 'VALIDATION_ERROR'; message: string } | { pathOfHalf: string }

const largeBodies = createThreadPool<string, ParsedBody>(threadScript('./json-body.worker', import.meta.url), {
  what: 'large requests',
  answerWithinMs: 10_000
})

/**
 * JSON only: Fastify would also take text/plain, which a foreign page can send without a preflight. An empty body is no body,
 * since clients announce JSON on a POST without one.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  // Keys that would change what objects inherit go, as all members do that nobody asks for.
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    // RFC 8259 §8.1. What is not UTF-8 would be stored with marks in the place of what was sent.
    if (!isUtf8(bytes as Buffer)) return done(new AppError('MALFORMED_JSON', 'The body is not text in UTF-8'))
    const body = (bytes as Buffer).toString()
    if (body.length < largeCharacters)
      void parse(request, body, (error, value) => {
        const path = error === null && mayHaveHalf(body) ? pathOfHalf(value) : undefined
        if (path === undefined) done(error, value)
        else done(halfIn(path))
      })
    else
      parseLarge(callerKey(request), body).then(
        (value) => done(null, value),
        (error: Error) => done(error)
      )
  })
}

const halfIn = (path: string): AppError => refusal(path === '' ? 'the body' : path, hasHalf, path)

async function parseLarge(key: string, body: string): Promise<unknown> {
  const parsed = await largeBodies.run(key, body).catch((cause: unknown) => {
    throw cause instanceof WorkerThreadError
      ? new AppError('VALIDATION_ERROR', 'The body could not be read: it is too complex', { cause })
      : cause
  })
  if ('pathOfHalf' in parsed) throw halfIn(parsed.pathOfHalf)
  if ('problem' in parsed) throw new AppError(parsed.problem, parsed.message)
  return parsed.value
}
