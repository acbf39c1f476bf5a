import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import { readIfExists } from '../disk/read-if-exists.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import type { MailPaths } from './mail-paths.ts'

export interface LogInAttempt {
  login: string
  address: string
  /** Truncated keyed hash, only to tell passwords apart. */
  passwordHash: string
  service: 'SMTP' | 'IMAP'
}

export interface LogInPolicy {
  isAllowed(attempt: LogInAttempt): boolean
  notifyOwner(attempt: LogInAttempt, isRight: boolean): void
}

export interface LogInPolicyOptions {
  port: number
  key: string
  policy: LogInPolicy
  onError: (error: unknown) => void
}

const maxRequestBytes = 8_192
const requestMs = 5_000

// Untrusted: the client chooses the login.
const request = z.object({
  login: z.string(),
  remote: z.string(),
  pwhash: z.string(),
  protocol: z.string().optional(),
  success: z.boolean().optional(),
  policy_reject: z.boolean().optional()
})

/** Dovecot auth policy server. Requests need the key: other local programs can reach the port. Fails open. */
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
  const { login, remote, pwhash, protocol, success, policy_reject: isRefusedByUs } = parsed.data
  const attempt: LogInAttempt = {
    login: login.toLowerCase(),
    address: remote,
    passwordHash: pwhash,
    // ManageSieve is for the same clients.
    service: protocol === 'smtp' ? 'SMTP' : 'IMAP'
  }
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

/** Shared key for Dovecot's requests; created on first use, readable by root only. */
export async function ensurePolicyKey({ dovecot }: Pick<MailPaths, 'dovecot'>): Promise<string> {
  const found = (await readIfExists(dovecot.policyKey))?.trim()
  if (found !== undefined && /^[0-9a-f]{64}$/.test(found)) return found
  await mkdir(dovecot.directory, { recursive: true, mode: 0o751 })
  const key = randomBytes(32).toString('hex')
  await writeFileAtomically(dovecot.policyKey, key, 0o600)
  return key
}
