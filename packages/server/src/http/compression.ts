import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Compress the response. Only for lists without secrets, whose length may leak anything they contain. */
    compressed?: true
  }
}

const compress = promisify(gzip)
const leastBytes = 1024

/**
 * Compresses only routes that opt in: elsewhere the compressed length would leak secrets next to attacker-chosen text
 * (BREACH).
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
