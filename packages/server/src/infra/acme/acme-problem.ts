import { oneLine } from '../../text/one-line.ts'
import { AcmeError } from './acme.ts'

/** ACME problem document (RFC 8555 §6.7). All of its text is untrusted. */
export class AcmeProblem extends AcmeError {
  readonly type: string

  constructor(kind: AcmeError['kind'], message: string, type: string, retryAfterSeconds?: number) {
    super(kind, message, { retryAfterSeconds })
    this.type = type
  }
}

/** Used when a CA rate-limits without Retry-After; its windows are hours. */
const defaultRetryAfterSeconds = 3600

const typePrefix = 'urn:ietf:params:acme:error:'
const maxMessageLength = 1000

export function problemOfResponse(
  status: number,
  headers: { 'retry-after'?: string | undefined },
  body: unknown,
  now: Date
): AcmeProblem {
  return problem(body, status, parseRetryAfter(headers['retry-after'], now))
}

export function problemOfObject(error: unknown): AcmeProblem {
  return problem(error, undefined, undefined)
}

function problem(body: unknown, status: number | undefined, retryAfterSeconds: number | undefined): AcmeProblem {
  const type = textOf(body, 'type').replace(typePrefix, '')
  const words = problemMessage(body) || type || (status === undefined ? 'no reason given' : `HTTP status ${status}`)
  if (status === 429 || type === 'rateLimited')
    return new AcmeProblem('rate-limited', words, type, retryAfterSeconds ?? defaultRetryAfterSeconds)
  // Within an order object, `status` describes what the CA met at our host, not the CA's own state.
  const isTemporary = (status !== undefined && (status >= 500 || status === 408)) || temporaryTypes.has(type)
  return new AcmeProblem(isTemporary ? 'unavailable' : 'refused', words, type, retryAfterSeconds)
}

const temporaryTypes = new Set(['serverInternal', 'badNonce', 'orderNotReady'])

function problemMessage(body: unknown): string {
  const parts = subproblemsOf(body).map((each) => {
    const name = textOf(memberOf(each, 'identifier'), 'value')
    return `${name === '' ? '' : `${name}: `}${textOf(each, 'detail')}`
  })
  return cleanMessage([textOf(body, 'detail'), ...parts].filter((text) => text !== '').join('; '))
}

function subproblemsOf(body: unknown): unknown[] {
  const list = memberOf(body, 'subproblems')
  return Array.isArray(list) ? list.slice(0, 20) : []
}

/** These texts are stored and shown, and may quote the response of a third-party website. */
export const cleanMessage = (text: string): string => oneLine(text, maxMessageLength)

/** Retry-After in seconds or as a date (RFC 9110 §10.2.3). Undefined if invalid or past. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  return seconds > 0 ? seconds : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function textOf(value: unknown, name: string): string {
  const member = memberOf(value, name)
  return typeof member === 'string' ? member : ''
}
