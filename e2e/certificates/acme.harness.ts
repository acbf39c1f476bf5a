import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { createAcmeAuthority, type AcmeClientOptions } from '../../packages/server/src/infra/acme/acme-client.ts'
import type { AcmeAuthority, AcmeChallenge, AcmeOrderRequest } from '../../packages/server/src/infra/acme/acme.ts'
import { type FakeResolver, startFakeResolver } from '../../packages/server/test/support/fake-resolver.ts'
import { type Pebble, type PebbleOptions, startPebble } from '../support/pebble.ts'

interface Watched extends AcmeOrderRequest {
  published: AcmeChallenge[]
  unpublished: AcmeChallenge[]
  orders: { orderUrl: string; keyPem: string }[]
}

export interface AcmeEnvironment {
  dns: FakeResolver
  pebbleWith(options?: Partial<PebbleOptions>): Promise<Pebble>
  watch(hostnames: string[], request?: Partial<AcmeOrderRequest>): Watched
  publish(challenge: AcmeChallenge): Promise<void>
  unpublish(challenge: AcmeChallenge): Promise<void>
  tokens: Map<string, string>
  textsOf(hostname: string): ReadonlySet<string>
  hold(): void
  held(): number
  release(): void
  close(): Promise<void>
}

export async function startAcmeEnvironment(): Promise<AcmeEnvironment> {
  const dns = await startFakeResolver()
  const tokens = new Map<string, string>()
  const texts = new Map<string, Set<string>>()
  const authorities: Pebble[] = []
  let kept: (() => void)[] | undefined
  const site = createServer((request, response) => {
    const answer = () => respond(response, tokens.get(request.url ?? ''))
    if (kept) kept.push(answer)
    else answer()
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const httpPort = (site.address() as AddressInfo).port

  const textsOf = (hostname: string) => texts.get(hostname) ?? new Set<string>()
  const setTexts = (hostname: string, values: Set<string>) => {
    texts.set(hostname, values)
    dns.set(`_acme-challenge.${hostname}`, 'TXT', { values: [...values] })
  }

  const environment: AcmeEnvironment = {
    dns,
    tokens,
    textsOf,
    async pebbleWith(options = {}) {
      const pebble = await startPebble({ dnsServer: dns.address, httpPort, ...options })
      authorities.push(pebble)
      return pebble
    },
    watch(hostnames, request = {}) {
      const watched: Watched = {
        hostnames,
        challengeType: 'http-01',
        signal: new AbortController().signal,
        published: [],
        unpublished: [],
        orders: [],
        ...request,
        async onOrder(order) {
          watched.orders.push(order)
          await request.onOrder?.(order)
        },
        async publish(challenge) {
          watched.published.push(challenge)
          await (request.publish ?? environment.publish)(challenge)
        },
        async unpublish(challenge) {
          watched.unpublished.push(challenge)
          await unpublish(challenge)
          await request.unpublish?.(challenge)
        }
      }
      return watched
    },
    async publish(challenge) {
      const { type, hostname, keyAuthorization, dnsValue } = challenge
      if (type === 'http-01') tokens.set(pathOf(challenge), keyAuthorization)
      else setTexts(hostname, new Set([...textsOf(hostname), dnsValue]))
    },
    unpublish,
    hold: () => void (kept = []),
    held: () => kept?.length ?? 0,
    release() {
      const answers = kept ?? []
      kept = undefined
      for (const answer of answers) answer()
    },
    async close() {
      await Promise.all(authorities.map((authority) => authority.close()))
      await dns.close()
      site.closeAllConnections()
      site.close()
    }
  }

  async function unpublish(challenge: AcmeChallenge): Promise<void> {
    const { type, hostname, dnsValue } = challenge
    if (type === 'http-01') tokens.delete(pathOf(challenge))
    else setTexts(hostname, new Set([...textsOf(hostname)].filter((value) => value !== dnsValue)))
  }

  return environment
}

export const pathOf = ({ token }: AcmeChallenge): string => `/.well-known/acme-challenge/${token}`

function respond(response: ServerResponse, body: string | undefined): void {
  response.writeHead(body === undefined ? 404 : 200).end(body)
}

interface KeptAccounts {
  saved: { keyPem: string; accountUrl?: string } | undefined
  urls: Set<string>
}

export function authorityAt(
  { directoryUrl, caPem }: Pick<Pebble, 'directoryUrl' | 'caPem'>,
  options: Partial<AcmeClientOptions> = {}
): AcmeAuthority & { store: KeptAccounts } {
  const store: KeptAccounts = { saved: undefined, urls: new Set() }
  const authority = createAcmeAuthority({
    directoryUrl,
    caPem,
    accounts: {
      load: async () => store.saved,
      save: async (_, account) => {
        store.saved = { ...account }
        if (account.accountUrl !== undefined) store.urls.add(account.accountUrl)
      }
    },
    ...options
  })
  return { ...authority, store }
}

export function expectNothingLeft({ published, unpublished }: Watched): void {
  expect(new Set(unpublished)).toEqual(new Set(published))
}
