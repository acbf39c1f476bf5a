import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { DeliveryReasonCode } from '@panel/contract/delivery-reason-texts'
import type { SentenceValues } from '@panel/contract/sentences'
import type { PushedRef, WebhookProvider } from '@panel/contract/webhook-deliveries'
import { cleanCommitMessage, commitHashPattern } from '../../text/commit.ts'
import { changedFiles } from './changed-files.policy.ts'
import { deliveryReason } from './delivery-reason.policy.ts'

/** Lower-case names, as Node provides them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface Push {
  ref: PushedRef
  commitHash: string
  commitMsg: string | null
  /** Null if the provider did not list all changed files. */
  files: readonly string[] | null
}

type PushEvent =
  | { kind: 'ping' }
  /** Only Bitbucket reports several branches at once. */
  | { kind: 'push'; pushes: readonly [Push, ...Push[]] }
  | { kind: 'ignored'; reason: string }
  /** The body does not match its headers (→ 400). */
  | { kind: 'invalid'; problem: string }

type Json = Record<string, unknown>

interface Reader {
  header: string
  provider: WebhookProvider
  ping?: string
  pushes: readonly string[]
  read: (body: Json) => PushEvent
}

const readers: readonly Reader[] = [
  { header: 'x-gitprovider-event', provider: 'OTHER', ping: 'ping', pushes: ['push'], read: readRefPush },
  { header: 'x-github-event', provider: 'GITHUB', ping: 'ping', pushes: ['push'], read: readRefPush },
  { header: 'x-gitlab-event', provider: 'GITLAB', pushes: ['Push Hook', 'Tag Push Hook'], read: readRefPush },
  {
    header: 'x-event-key',
    provider: 'BITBUCKET',
    ping: 'diagnostics:ping',
    pushes: ['repo:push'],
    read: readBitbucketPush
  }
]

/** Same work with and without a secret, so that timing does not reveal whether a project exists or has one. */
export function verifyPushSignature(secret: string | null | undefined, headers: Headers, rawBody: Uint8Array): boolean {
  const key = secret === null || secret === undefined || secret === '' ? undefined : secret
  const expected = createHmac('sha256', key ?? 'no secret')
    .update(rawBody)
    .digest()
  const signature = headers['x-hub-signature-256'] ?? (headers['x-event-key'] ? headers['x-hub-signature'] : undefined)
  if (signature !== undefined) return isDigest(signature, expected) && key !== undefined
  const token = headers['x-gitlab-event'] === undefined ? undefined : headers['x-gitlab-token']
  if (typeof token !== 'string') return false
  return timingSafeEqual(sha256(token), sha256(key ?? 'no secret')) && key !== undefined
}

/** Cheap check before reading the body: could `verifyPushSignature` accept these headers at all? */
export const mayBeSigned = (headers: Headers): boolean =>
  headers['x-hub-signature-256'] !== undefined ||
  (headers['x-event-key'] !== undefined && headers['x-hub-signature'] !== undefined) ||
  (headers['x-gitlab-event'] !== undefined && headers['x-gitlab-token'] !== undefined)

/** JSON, or JSON in the form field `payload`, which GitHub offers as well. */
export function parsePushBody(
  headers: Headers,
  rawBody: Uint8Array
): { body: unknown } | { problem: DeliveryReasonCode } {
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    return { problem: 'BODY_COMPRESSED' }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(rawBody)
    const isForm = String(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
    return { body: JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text) as unknown }
  } catch {
    return { problem: 'BODY_NOT_JSON' }
  }
}

/** Verify the signature first. */
export function parsePushEvent(headers: Headers, body: unknown): PushEvent {
  const reader = readers.find(({ header }) => headers[header] !== undefined)
  if (!reader) return invalid('HEADER_MISSING')
  const event = String(headers[reader.header])
  if (event === reader.ping) return { kind: 'ping' }
  if (!reader.pushes.includes(event)) return ignored('EVENT_NOT_HANDLED', { event: printable(event) })
  return isObject(body) ? reader.read(body) : invalid('BODY_NOT_OBJECT')
}

/** Equal for retries. GitLab uses one id for all branches of a push, so it is combined with a hash of the body. */
export function deliveryId(headers: Headers, rawBody: Uint8Array): string {
  const id = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' && /^\{?[A-Za-z0-9._:-]{1,100}\}?$/.test(value)
      ? value.replace(/[{}]/g, '')
      : undefined
  }
  const own = id('x-gitprovider-delivery') ?? id('x-github-delivery') ?? id('x-request-uuid')
  if (own !== undefined) return own
  const digest = sha256(rawBody).toString('hex')
  const gitlab = id('idempotency-key') ?? id('x-gitlab-event-uuid')
  return gitlab === undefined ? digest : `${gitlab}:${digest}`
}

export interface DeliverySource {
  provider: WebhookProvider
  event: string
}

/** Gitea and Forgejo send the headers of GitHub as well. */
function sourceOf(headers: Headers): DeliverySource {
  const reader = readers.find(({ header }) => headers[header] !== undefined)
  const isGitea = headers['x-gitea-event'] !== undefined || headers['x-forgejo-event'] !== undefined
  const event = reader === undefined ? '' : printable(String(headers[reader.header]))
  return { provider: isGitea ? 'GITEA' : (reader?.provider ?? 'OTHER'), event }
}

export type ReadDelivery =
  | { kind: 'unsigned' }
  | { kind: 'signed'; event: PushEvent; source: DeliverySource; deliveryId: string }

export function readDelivery(secret: string | null, headers: Headers, rawBody: Uint8Array): ReadDelivery {
  if (!verifyPushSignature(secret, headers, rawBody)) return { kind: 'unsigned' }
  const parsed = parsePushBody(headers, rawBody)
  const event = 'problem' in parsed ? invalid(parsed.problem) : parsePushEvent(headers, parsed.body)
  return { kind: 'signed', event, source: sourceOf(headers), deliveryId: deliveryId(headers, rawBody) }
}

/** GitLab has the message in its list of commits instead of `head_commit`. */
function readRefPush(body: Json): PushEvent {
  const { ref, after } = body
  if (typeof ref !== 'string') return invalid('REF_MISSING')
  const pushed = refOf(ref)
  if (pushed === undefined) return ignored('BRANCH_MISMATCH')
  if (body.deleted === true || isZeros(after)) return ignored(pushed.kind === 'tag' ? 'TAG_DELETED' : 'BRANCH_DELETED')
  const head = isObject(body.head_commit) ? body.head_commit : {}
  const ids = [head.id, body.checkout_sha, after].filter((id) => id !== undefined && id !== null)
  if (ids.length === 0) return invalid('AFTER_MISSING')
  if (!ids.every(isCommitHash)) return invalid('AFTER_NOT_COMMIT')
  const commitHash = String(ids[0])
  const commits = Array.isArray(body.commits) ? body.commits.filter(isObject) : []
  const message = head.message ?? commits.find(({ id }) => id === commitHash)?.message
  const files = changedFiles(body, commitHash)
  return { kind: 'push', pushes: [{ ref: pushed, commitHash, commitMsg: messageOrNull(message), files }] }
}

function readBitbucketPush(body: Json): PushEvent {
  const changes =
    isObject(body.push) && Array.isArray(body.push.changes) ? body.push.changes.filter(isObject) : undefined
  if (!changes) return invalid('CHANGES_MISSING')
  const present = changes.map((change) => change.new).filter(isObject)
  if (present.length === 0) return ignored(changes.length === 0 ? 'NOTHING_CHANGED' : 'BRANCH_DELETED')
  const refs = present.filter(({ type, name }) => (type === 'branch' || type === 'tag') && typeof name === 'string')
  if (refs.length === 0) return ignored('BRANCH_MISMATCH')
  const pushes = refs.map(({ type, name, target }) => {
    const { hash, message } = isObject(target) ? target : {}
    const ref = { kind: type as PushedRef['kind'], name: String(name) }
    return { ref, commitHash: String(hash), commitMsg: messageOrNull(message), files: null }
  })
  return pushes.every(({ commitHash }) => isCommitHash(commitHash))
    ? { kind: 'push', pushes: pushes as [Push, ...Push[]] }
    : invalid('TARGET_NOT_COMMIT')
}

function isDigest(header: string | string[], expected: Buffer): boolean {
  const hex = typeof header === 'string' ? /^sha256=([0-9a-fA-F]{64})$/.exec(header)?.[1] : undefined
  return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected)
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const invalid = (code: DeliveryReasonCode): PushEvent => ({ kind: 'invalid', problem: deliveryReason(code) })
const ignored = (code: DeliveryReasonCode, values?: SentenceValues): PushEvent => ({
  kind: 'ignored',
  reason: deliveryReason(code, values)
})

function refOf(ref: string): PushedRef | undefined {
  const [, folder, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? []
  return name === undefined ? undefined : { kind: folder === 'tags' ? 'tag' : 'branch', name }
}

const isCommitHash = (value: unknown) => typeof value === 'string' && commitHashPattern.test(value)
const isZeros = (value: unknown) => typeof value === 'string' && /^0+$/.test(value)
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const messageOrNull = (value: unknown) => (typeof value === 'string' ? cleanCommitMessage(value) : null)
const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 50)
