import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Lists without secrets, whose length may tell of them what it likes: sent compressed to whoever takes that. */
    compressed?: true
  }
}

const compress = promisify(gzip)
/** Below it the heads of an answer are most of it. */
const leastBytes = 1024

/**
 * Answers of the routes that say so. Of any other one the length could be tried until it tells a secret that stands beside what a stranger
 * chose (BREACH).
 */
export function addCompression(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.config.compressed !== true || reply.statusCode !== 200) return payload
    void reply.header('vary', 'accept-encoding')
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    if (Buffer.byteLength(payload) < leastBytes || !takesGzip(request.headers['accept-encoding'])) return payload
    void reply.header('content-encoding', 'gzip')
    return compress(payload, { level: constants.Z_BEST_SPEED })
  })
}

const takesGzip = (accepted: string | string[] = ''): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(accepted))
