import type { FastifyReply } from 'fastify'
import { endWhenIdle } from './send-stream.ts'

/**
 * Sends a text that is JSON already and as the schema of its route says: a list of any length, written out where nobody waits for it
 * (PostgreSQL, the worker).
 */
export function sendJson(reply: FastifyReply, json: string | Buffer): FastifyReply {
  endWhenIdle(reply)
  return reply.type('application/json; charset=utf-8').send(json)
}

/** An object with one more member, whose value is JSON already. */
export function withMember(members: object, name: string, json: string): string {
  const others = JSON.stringify(members).slice(1, -1)
  return `{${others}${others === '' ? '' : ','}${JSON.stringify(name)}:${json}}`
}
