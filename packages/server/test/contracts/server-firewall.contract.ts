import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServerFirewall, ServerRuleset } from '../../src/infra/server-firewall/server-firewall.ts'

/** Contract of the fake and the real firewall. `isInForce` tells whether these rules are loaded now. */
export function describeServerFirewall(
  name: string,
  make: () => Promise<{
    firewall: ServerFirewall
    isInForce: (ruleset: ServerRuleset | undefined) => Promise<boolean>
    dispose: () => Promise<void>
  }>
): void {
  describe(`server firewall: ${name}`, () => {
    const open = (...ports: string[]): ServerRuleset => ({
      defaultAction: 'DENY',
      rules: [
        { action: 'DENY', protocol: 'ANY', ports: [], source: '198.51.100.7/24' },
        { action: 'ALLOW', protocol: 'TCP_UDP', ports, source: null },
        { action: 'ALLOW', protocol: 'TCP', ports: [], source: '2001:DB8::1' }
      ]
    })
    const newId = () => randomBytes(8).toString('hex')
    // Long enough that the rollback process does not act.
    const seconds = 600
    let firewall: ServerFirewall
    let isInForce: (ruleset: ServerRuleset | undefined) => Promise<boolean>
    let dispose: () => Promise<void>
    beforeAll(async () => ({ firewall, isInForce, dispose } = await make()))
    afterAll(() => dispose?.())

    test('rules are applied, replaced and removed', async () => {
      await firewall.apply(undefined)
      expect(await isInForce(undefined)).toBe(true)
      for (const ruleset of [open('80'), open('80'), open('443', '440-450'), undefined, undefined]) {
        await firewall.apply(ruleset)
        expect(await isInForce(ruleset)).toBe(true)
      }
    })

    test('a confirmed trial stays', async () => {
      await firewall.apply(open('80'))
      const id = newId()
      await firewall.tryOut(id, open('443'), seconds)
      expect(await isInForce(open('443'))).toBe(true)
      expect(await firewall.outcomeOf(id)).toBe('pending')
      expect(await firewall.confirm(id)).toBe('confirmed')
      expect(await firewall.outcomeOf(id)).toBe('confirmed')
      expect(await firewall.confirm(id)).toBe('confirmed')
      expect(await firewall.revert(id)).toBe('confirmed')
      await firewall.apply(open('443'))
      expect(await isInForce(open('443'))).toBe(true)
    })

    test('a reverted trial leaves what was in force before', async () => {
      for (const before of [undefined, open('80')]) {
        await firewall.apply(before)
        const id = newId()
        await firewall.tryOut(id, open('443'), seconds)
        expect(await firewall.revert(id)).toBe('reverted')
        expect(await isInForce(before)).toBe(true)
        expect(await firewall.outcomeOf(id)).toBe('reverted')
        expect(await firewall.confirm(id)).toBe('reverted')
        expect(await isInForce(before)).toBe(true)
      }
    })

    test('applying rules ends a trial', async () => {
      const id = newId()
      await firewall.tryOut(id, open('443'), seconds)
      await firewall.apply(open('81'))
      expect(await firewall.confirm(id)).toBe('reverted')
      expect(await isInForce(open('81'))).toBe(true)
    })

    test('an unknown change was reverted', async () => {
      expect(await firewall.outcomeOf(newId())).toBe('reverted')
    })

    test('invalid rules change nothing', async () => {
      await firewall.apply(open('80'))
      const wrong = { ...open('80'), rules: [{ ...open('80').rules[0]!, source: '0.0.0.0/0; flush ruleset' }] }
      await expect(firewall.apply(wrong)).rejects.toThrow(TypeError)
      await expect(firewall.tryOut(newId(), wrong, seconds)).rejects.toThrow(TypeError)
      expect(await isInForce(open('80'))).toBe(true)
      await firewall.apply(undefined)
    })
  })
}
