import type { FastifyReply } from 'fastify'
import { endWhenIdle } from './send-stream.ts'

/**
 * Sends prepared JSON that must match the route's schema. For lists of any length, serialized elsewhere (PostgreSQL,
 * the worker) to keep the event loop free.
 */
export function sendJson(reply: FastifyReply, json: string | Buffer): FastifyReply {
  endWhenIdle(reply)
  return reply.type('application/json; charset=utf-8').send(json)
}

export function withMember(members: object, name: string, json: string): string {
  const others = JSON.stringify(members).slice(1, -1)
  return `{${others}${others === '' ? '' : ','}${JSON.stringify(name)}:${json}}`
}
