import { createPrivateKey, X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, crypto as acmeCrypto, type Order } from 'acme-client'
import { readPemBlocks } from '../x509/pem.ts'
import { createKey } from './acme-account.ts'
import { aborted, type AcmeCall } from './acme-connection.ts'
import { AcmeProblem, problemOfObject } from './acme-problem.ts'
import { AcmeError, type AcmeOrderRequest, type IssuedCertificate } from './acme.ts'

export interface OrderContext {
  client: Client
  ask: AcmeCall
  request: AcmeOrderRequest
  decisionTimeoutMs: number
}

interface OpenOrder {
  order: Order
  keyPem: string
}

const firstPauseMs = 200
const longestPauseMs = 5_000

/** Resumes the interrupted order if the CA still has it and the hostnames match; otherwise creates one. */
export async function openOrder(context: OrderContext): Promise<OpenOrder> {
  const { client, ask, request } = context
  const resumed = await findOrder(context)
  if (resumed) return resumed
  const identifiers = request.hostnames.map((value) => ({ type: 'dns', value }))
  const order = await ask(async () => validOrder(await client.createOrder({ identifiers })))
  const keyPem = createKey()
  await request.onOrder({ orderUrl: order.url, keyPem })
  return { order, keyPem }
}

async function findOrder({ client, ask, request }: OrderContext): Promise<OpenOrder | undefined> {
  const { resume, hostnames } = request
  if (!resume) return undefined
  const order = await unlessGone(ask(async () => validOrder(await client.getOrder({ url: resume.orderUrl } as Order))))
  if (!order || order.status === 'invalid' || !isForNames(order, hostnames)) return undefined
  if (order.status === 'pending') {
    const authorizations = await unlessGone(ask(() => client.getAuthorizations(order)))
    if (!authorizations?.every(({ status }) => status === 'pending' || status === 'valid')) return undefined
  }
  return { order, keyPem: resume.keyPem }
}

/** Call within `ask`, which turns the exception into an AcmeError. */
function validOrder(order: Order): Order {
  const { status, identifiers, authorizations } = order
  if (typeof status === 'string' && Array.isArray(identifiers) && Array.isArray(authorizations)) return order
  throw new Error('incomplete order')
}

/** Undefined if the CA does not know the resource or assigns it to another account. */
async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof AcmeProblem && error.kind === 'refused' && error.type !== 'accountDoesNotExist')
      return undefined
    throw error
  }
}

function isForNames(order: Order, hostnames: readonly string[]): boolean {
  const names = new Set(order.identifiers.map(({ value }) => value))
  return names.size === new Set(hostnames).size && hostnames.every((name) => names.has(name))
}

export async function finishOrder(context: OrderContext, { order, keyPem }: OpenOrder): Promise<IssuedCertificate> {
  const { client, ask, request } = context
  const current = () => ask(async () => validOrder(await client.getOrder(order)))
  let now = order.status === 'pending' ? await poll(context, current, 'pending') : order
  if (now.status === 'ready') {
    // No common name: it is limited to 64 characters and clients ignore it.
    const [, csr] = await acmeCrypto.createCsr({ altNames: [...request.hostnames] }, keyPem)
    const ready = now
    now = await ask(() => client.finalizeOrder(ready, csr))
  }
  if (now.status !== 'valid') now = await poll(context, current, 'ready', 'processing')
  if (now.status !== 'valid') throw problemOfObject(now.error)
  const issued = now
  const text = await ask(() => client.getCertificate(issued))
  return { chain: readChain(text, keyPem), keyPem }
}

function readChain(text: unknown, keyPem: string): string {
  const blocks = typeof text === 'string' ? readPemBlocks(text) : undefined
  try {
    const [leaf, ...rest] = (blocks ?? []).map(({ pem }) => new X509Certificate(pem))
    if (leaf?.checkPrivateKey(createPrivateKey(keyPem)))
      return [leaf, ...rest].map((certificate) => certificate.toString()).join('')
  } catch (cause) {
    throw new AcmeError('unavailable', 'The certificate authority returned an unreadable certificate.', {
      cause
    })
  }
  throw new AcmeError('unavailable', 'The certificate authority returned a certificate for a different key.')
}

/** Polls until the status is none of `passing`. acme-client's own poll cannot be aborted. */
export async function poll<T extends { status: string }>(
  { request: { signal }, decisionTimeoutMs }: OrderContext,
  ask: () => Promise<T>,
  ...pendingStatuses: string[]
): Promise<T> {
  const deadline = performance.now() + decisionTimeoutMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const item = await ask()
    if (!pendingStatuses.includes(item.status)) return item
    if (performance.now() > deadline) {
      const text = `The certificate authority did not decide within ${decisionTimeoutMs / 1000} s.`
      throw new AcmeError('unavailable', text)
    }
    await sleep(pauseMs, undefined, { signal }).catch((cause: unknown) => {
      throw aborted(cause)
    })
  }
}
