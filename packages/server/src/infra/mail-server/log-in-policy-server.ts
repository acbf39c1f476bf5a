import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import { readIfExists } from '../disk/read-if-exists.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import type { MailPaths } from './mail-paths.ts'

/** A log-in at Dovecot or, through it, at Postfix. */
export interface LogInAttempt {
  login: string
  /** Of the client. */
  address: string
  /** A few bits of a hash with a secret: they tell passwords from one another. */
  passwordHash: string
}

export interface LogInPolicy {
  /** Asked before the password is looked at. */
  isAllowed(attempt: LogInAttempt): boolean
  /** Told of every password that was looked at. */
  notifyOwner(attempt: LogInAttempt, isRight: boolean): void
}

export interface LogInPolicyOptions {
  /** On loopback. */
  port: number
  key: string
  policy: LogInPolicy
  onError: (error: unknown) => void
}

const maxRequestBytes = 8_192
const requestMs = 5_000

// Dovecot writes what the client has said: a name may be anything.
const request = z.object({
  login: z.string(),
  remote: z.string(),
  pwhash: z.string(),
  success: z.boolean().optional(),
  policy_reject: z.boolean().optional()
})

/**
 * Answers Dovecot's questions whether a log-in may try its password (doc.dovecot.org, "Authentication policy": JSON over HTTP, `command` says
 * whether it asks or reports). Other programs of the machine, which reach the port too, do not have the key. Whatever goes wrong here keeps
 * nobody out: Dovecot goes on where there is no answer.
 */
export async function serveLogInPolicy(options: LogInPolicyOptions): Promise<{ close(): Promise<void> }> {
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (incoming, response) => {
    answer(options, incoming)
      .then(({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
      .catch((error: unknown) => {
        options.onError(error)
        response.destroy()
      })
  })
  server.maxConnections = 500
  server.on('error', options.onError)
  await once(server.listen(options.port, '127.0.0.1'), 'listening')
  return {
    async close() {
      server.close()
      server.closeAllConnections()
    }
  }
}

async function answer({ key, policy }: LogInPolicyOptions, incoming: IncomingMessage) {
  if (!isKey(incoming.headers['x-panel-key'], key)) return { status: 403, body: '{}' }
  const parsed = request.safeParse(await readJson(incoming))
  if (!parsed.success) return { status: 400, body: '{}' }
  const { login, remote, pwhash, success, policy_reject: isRefusedByUs } = parsed.data
  const attempt: LogInAttempt = { login: login.toLowerCase(), address: remote, passwordHash: pwhash }
  const command = new URL(incoming.url ?? '/', 'http://localhost').searchParams.get('command')
  if (command === 'allow') return verdict(policy.isAllowed(attempt))
  if (command === 'report' && success !== undefined && isRefusedByUs !== true) policy.notifyOwner(attempt, success)
  return verdict(true)
}

const verdict = (isAllowed: boolean) => ({ status: 200, body: JSON.stringify({ status: isAllowed ? 0 : -1, msg: '' }) })

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  let text = ''
  incoming.setEncoding('utf8')
  for await (const chunk of incoming as AsyncIterable<string>) {
    text += chunk
    if (text.length > maxRequestBytes) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isKey(message: string | string[] | undefined, key: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest()
  return typeof message === 'string' && timingSafeEqual(digest(message), digest(key))
}

/** By which Dovecot is known; made when it is first asked for. For root alone. */
export async function ensurePolicyKey({ dovecot }: Pick<MailPaths, 'dovecot'>): Promise<string> {
  const found = (await readIfExists(dovecot.policyKey))?.trim()
  if (found !== undefined && /^[0-9a-f]{64}$/.test(found)) return found
  await mkdir(dovecot.directory, { recursive: true, mode: 0o751 })
  const key = randomBytes(32).toString('hex')
  await writeFileAtomically(dovecot.policyKey, key, 0o600)
  return key
}
