import { createHash } from 'node:crypto'
import type { Authorization, Client, Order } from 'acme-client'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { poll, type OrderContext } from './acme-order.ts'
import { problemOfObject } from './acme-problem.ts'
import { AcmeError, type AcmeChallenge } from './acme.ts'

type Challenge = Authorization['challenges'][number]

interface OpenName {
  authorization: Authorization
  requested: Challenge
  challenge: AcmeChallenge
}

const parallel = 4

/** All challenges are published first: a name and its wildcard share one DNS name, which resolvers cache. */
export async function proveNames(context: OrderContext, order: Order): Promise<void> {
  const { client, request } = context
  if (order.status !== 'pending') return
  const authorizations = await each(order.authorizations, (url) => readAuthorization(context, url))
  const unproved = authorizations.filter(({ status }) => status !== 'valid')
  const names = await each(unproved, (authorization) => openName(client, request.challengeType, authorization))
  const published: AcmeChallenge[] = []
  try {
    await each(names, ({ challenge }) => {
      request.signal.throwIfAborted()
      published.push(challenge)
      return request.publish(challenge)
    })
    await each(names, (name) => prove(context, name))
  } catch (error) {
    // Report the original error, not a failed cleanup.
    await withdraw()
    throw error
  }
  valuesOf(await withdraw())

  function withdraw() {
    return allSettled(published, (challenge) => request.unpublish(challenge))
  }
}

async function prove(context: OrderContext, { authorization, requested }: OpenName): Promise<void> {
  const { client, ask } = context
  const current = () => readAuthorization(context, authorization.url)
  // In a resumed order the challenge may already be processing.
  if (requested.status === 'pending') {
    try {
      await ask(() => client.completeChallenge(requested))
    } catch (error) {
      // The challenge may have been triggered and decided in the meantime.
      const { status, challenges } = await current()
      if (status === 'pending' && challenges.every(({ url, status }) => url !== requested.url || status === 'pending'))
        throw error
    }
  }
  const decided = await poll(context, current, 'pending')
  if (decided.status === 'valid') return
  const error = decided.challenges.find(({ type }) => type === requested.type)?.error
  throw error === undefined
    ? new AcmeError('refused', `The certificate authority reports ${nameOf(decided)} as ${decided.status}.`)
    : problemOfObject(error)
}

function readAuthorization({ client, ask }: OrderContext, url: string): Promise<Authorization> {
  return ask(async () => {
    const [authorization] = await client.getAuthorizations({ authorizations: [url] } as Order)
    if (typeof authorization?.identifier?.value === 'string' && Array.isArray(authorization.challenges))
      return authorization
    throw new Error('incomplete authorization')
  })
}

/** acme-client only prefers a challenge type and falls back to another; the caller's choice must be kept. */
async function openName(client: Client, type: AcmeChallenge['type'], authorization: Authorization): Promise<OpenName> {
  const requested = authorization.challenges.find((challenge) => challenge.type === type)
  if (authorization.status !== 'pending' || !requested) {
    const why = requested ? `is ${authorization.status}` : `cannot be validated with ${type}`
    throw new AcmeError('refused', `According to the certificate authority, ${nameOf(authorization)} ${why}.`)
  }
  // The token becomes part of a path; RFC 8555 §8.3 allows only the base64url alphabet.
  if (typeof requested.token !== 'string' || !/^[A-Za-z0-9_-]{1,255}$/.test(requested.token))
    throw new AcmeError('refused', 'The certificate authority sent an invalid challenge token.')
  const keyAuthorization = await client.getChallengeKeyAuthorization({ ...requested, type: 'http-01' })
  const dnsValue = createHash('sha256').update(keyAuthorization).digest('base64url')
  const hostname = authorization.identifier.value
  return { authorization, requested, challenge: { type, hostname, token: requested.token, keyAuthorization, dnsValue } }
}

const nameOf = ({ identifier, wildcard }: Authorization) => `${wildcard ? '*.' : ''}${identifier.value}`

async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  let hasFailed = false
  const results = await allSettled(items, async (item) => {
    if (hasFailed) throw new Error('another one failed') // Never the first rejection in the list.
    try {
      return await work(item)
    } catch (error) {
      hasFailed = true
      throw error
    }
  })
  return valuesOf(results)
}

function allSettled<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<PromiseSettledResult<R>[]> {
  const limited = createSemaphore(parallel)
  return Promise.allSettled(items.map((item) => limited(() => work(item))))
}

function valuesOf<R>(results: readonly PromiseSettledResult<R>[]): R[] {
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
