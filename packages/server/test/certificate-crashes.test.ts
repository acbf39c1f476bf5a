import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recoverOrders } from '../src/features/certificates/renewal.jobs.ts'
import type { Dependencies } from '../src/dependencies.ts'
import { createCertificateEnvironment, minuteMs } from './support/certificates.ts'
import type { Client, TestPanel } from './support/panel.ts'

const environment = createCertificateEnvironment()
const {
  memory,
  authority,
  proxy,
  dnsServer,
  clock,
  newDomain,
  newWildcard,
  requestAction,
  row,
  challenges,
  orders,
  served,
  requested,
  jobs,
  dropJobs,
  issue
} = environment
let panel: TestPanel
let ann: Client
beforeAll(async () => {
  ;({ panel, ann } = await environment.start())
})
afterAll(() => environment.close())
beforeEach(() => environment.reset())

describe('after a kill', () => {
  /** Simulates kill -9: afterwards, this process reaches nothing. */
  function mortal() {
    let isDead = false
    const dieAt = (): never => {
      isDead = true
      throw new Error('killed')
    }
    const guarded = <T extends object>(target: T, except: readonly string[] = []): T =>
      new Proxy(target, {
        get(found, name) {
          if (isDead && !except.includes(String(name))) throw new Error('killed')
          return Reflect.get(found, name) as unknown
        }
      })
    const deps: Dependencies = {
      ...panel.deps,
      db: guarded(panel.deps.db, ['$client']),
      proxy: guarded(proxy),
      dnsServer: guarded(dnsServer)
    }
    return { deps, dieAt }
  }
  type Death = ReturnType<typeof mortal>

  const points: [string, (death: Death) => void][] = [
    [
      'once the order is there',
      ({ dieAt }) => {
        authority.order = (request) =>
          memory.order({ ...request, onOrder: async (each) => (await request.onOrder(each), dieAt()) })
      }
    ],
    [
      'once the proof is published',
      ({ dieAt }) => {
        authority.order = (request) =>
          memory.order({ ...request, publish: async (each) => (await request.publish(each), dieAt()) })
      }
    ],
    [
      'once it is issued',
      ({ dieAt }) => {
        authority.order = async (request) => (await memory.order(request), dieAt())
      }
    ],
    [
      'before the proxy has it',
      ({ deps, dieAt }) => {
        deps.proxy = { ...proxy, setCertificate: async () => dieAt() }
      }
    ]
  ]

  describe.each([
    ['over HTTP', newDomain],
    ['in the zone', newWildcard]
  ] as [string, () => Promise<{ id: string; hostname: string; zone?: string }>][])(
    'with validation by %s',
    (_way, make) => {
      test.each(points)('%s, it continues the same order', async (_name, prepare) => {
        const { id, hostname, zone } = await make()
        await requestAction(id, 'provision')
        const death = mortal()
        prepare(death)
        await issue(id, death.deps).catch(() => {})
        const count = requested()
        authority.order = undefined
        await issue(id)
        expect(await row(id)).toMatchObject({ status: 'ACTIVE', pendingOrder: null, failures: 0 })
        expect(await served(id)).toBe((await row(id)).fingerprint)
        expect(await orders(hostname)).toEqual(['issued'])
        for (const again of memory.orders.slice(count)) expect(again.resumed).toBe(true)
        expect(await challenges(id)).toEqual([])
        if (zone) expect(dnsServer.files.get(zone)).not.toContain('_acme-challenge')
      })
    }
  )

  test('its job is restarted after a period of silence', async () => {
    const { id } = await newDomain()
    await requestAction(id, 'provision')
    await dropJobs('certificates.issue')
    await recoverOrders(panel.deps)
    expect(await jobs('certificates.issue', ann.user.id)).toEqual([])
    clock.at = new Date(Date.now() + 16 * minuteMs)
    await recoverOrders(panel.deps)
    await recoverOrders(panel.deps)
    expect(await jobs('certificates.issue', ann.user.id)).toEqual([{ userId: ann.user.id }])
    expect((await row(id)).status).toBe('PENDING')
  })
})
