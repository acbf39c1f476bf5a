import { createPrivateKey, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AcmeAuthority, AcmeChallenge, AcmeOrderRequest } from '../../src/infra/acme/acme.ts'

interface AcmeContractEnvironment {
  authority: AcmeAuthority
  /** Makes the challenge visible to the authority. */
  publish(challenge: AcmeChallenge): Promise<void>
  unpublish(challenge: AcmeChallenge): Promise<void>
  close(): Promise<void>
}

/** Contract of every AcmeAuthority. These names lead to the environment: shop.test, www.shop.test, wild.test. */
export function describeAcme(name: string, open: () => Promise<AcmeContractEnvironment>): void {
  describe(`authority: ${name}`, () => {
    let environment: AcmeContractEnvironment
    beforeAll(async () => {
      environment = await open()
    })
    afterAll(() => environment?.close())

    const watch = (hostnames: string[], request: Partial<AcmeOrderRequest> = {}) => {
      const steps: string[] = []
      const order: AcmeOrderRequest = {
        hostnames,
        challengeType: 'http-01',
        signal: new AbortController().signal,
        ...request,
        async onOrder(placed) {
          steps.push('order')
          await request.onOrder?.(placed)
        },
        async publish(challenge) {
          steps.push(`publish ${challenge.hostname}`)
          await environment.publish(challenge)
          await request.publish?.(challenge)
        },
        async unpublish(challenge) {
          steps.push(`unpublish ${challenge.hostname}`)
          await environment.unpublish(challenge)
        }
      }
      return { order, steps }
    }
    const startingWith = (steps: readonly string[], verb: string) =>
      steps.filter((step) => step.startsWith(`${verb} `)).map((step) => step.slice(verb.length + 1))

    test('issues for several names with a new key after validation', async () => {
      const { order, steps } = watch(['shop.test', 'www.shop.test'])
      const { chain, keyPem } = await environment.authority.order(order)
      const certificate = new X509Certificate(chain)
      expect(certificate.checkPrivateKey(createPrivateKey(keyPem))).toBe(true)
      for (const host of ['shop.test', 'www.shop.test']) expect(certificate.checkHost(host)).toBe(host)
      expect(steps[0]).toBe('order')
      expect(startingWith(steps, 'publish').toSorted()).toEqual(['shop.test', 'www.shop.test'])
    })

    test('removes every challenge and reports an order before it counts', async () => {
      const placed: { orderUrl: string; keyPem: string }[] = []
      const { order, steps } = watch(['shop.test'], { onOrder: async (each) => void placed.push(each) })
      const { keyPem } = await environment.authority.order(order)
      expect(placed).toEqual([{ orderUrl: expect.stringMatching(/^https:/), keyPem }])
      expect(startingWith(steps, 'unpublish')).toEqual(startingWith(steps, 'publish'))
    })

    test('validates a wildcard at its base name by dns-01', async () => {
      const { order, steps } = watch(['*.wild.test'], { challengeType: 'dns-01' })
      const { chain } = await environment.authority.order(order)
      expect(new X509Certificate(chain).checkHost('any.wild.test')).toBe('*.wild.test')
      expect(startingWith(steps, 'publish')).toEqual(['wild.test'])
    })

    test('refuses http-01 for a wildcard before ordering', async () => {
      const { order, steps } = watch(['*.wild.test'])
      await expect(environment.authority.order(order)).rejects.toMatchObject({ name: 'AcmeError', kind: 'refused' })
      expect(steps).toEqual([])
    })

    test('ends when aborted and removes challenges', async () => {
      const controller = new AbortController()
      const { order, steps } = watch(['shop.test'], {
        signal: controller.signal,
        publish: async () => controller.abort()
      })
      await expect(environment.authority.order(order)).rejects.toMatchObject({ name: 'AcmeError', kind: 'aborted' })
      expect(startingWith(steps, 'unpublish')).toEqual(['shop.test'])
    })

    test('a challenge that cannot be published ends the order with that error', async () => {
      const problem = new Error('no such zone')
      const { order, steps } = watch(['shop.test'], { publish: () => Promise.reject(problem) })
      await expect(environment.authority.order(order)).rejects.toBe(problem)
      expect(startingWith(steps, 'unpublish')).toEqual(['shop.test'])
    })

    test('returns its names for CAA records', async () => {
      for (const identity of await environment.authority.caaIdentities()) expect(identity).toMatch(/^[a-z0-9.-]+$/i)
    })
  })
}
