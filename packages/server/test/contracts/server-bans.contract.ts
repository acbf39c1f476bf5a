import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServerBans } from '../../src/infra/server-firewall/server-bans.ts'

/** Contract of the fake and the real bans. `banned` lists what is in force, sorted. */
export function describeServerBans(
  name: string,
  make: () => Promise<{ bans: ServerBans; banned: () => Promise<string[]>; dispose: () => Promise<void> }>
): void {
  describe(`server bans: ${name}`, () => {
    let bans: ServerBans
    let banned: () => Promise<string[]>
    let dispose: () => Promise<void>
    beforeAll(async () => ({ bans, banned, dispose } = await make()))
    afterAll(() => dispose?.())
    const ban = (address: string, seconds: number | null = 600) => ({ address, seconds })
    const [ann, ben, cat] = ['192.0.2.1', '192.0.2.2', '2001:db8:0:1::/64'] as const

    test('bans are added, replaced and removed', async () => {
      await bans.apply([])
      expect(await banned()).toEqual([])
      await bans.add([ban(ann), ban(cat)])
      await bans.add([ban(ann, 3600), ban(ben, null)])
      expect(await banned()).toEqual([ann, ben, cat])
      await bans.apply([ban(ben), ban(cat)])
      expect(await banned()).toEqual([ben, cat])
      for (let times = 0; times < 2; times++) await bans.apply([])
      expect(await banned()).toEqual([])
    })

    test('invalid bans change nothing', async () => {
      await bans.apply([ban(ann)])
      for (const change of [bans.add, bans.apply])
        await expect(change([ban(ben), ban('0.0.0.0/0')])).rejects.toThrow(TypeError)
      expect(await banned()).toContain(ann)
      await bans.apply([])
    })

    test('one change at a time', async () => {
      const order: string[] = []
      await Promise.all(
        [1, 2].map((number) =>
          bans.exclusively(async () => {
            order.push(`start ${number}`)
            await bans.apply([])
            order.push(`end ${number}`)
          })
        )
      )
      expect(order.map((each) => each.split(' ')[0])).toEqual(['start', 'end', 'start', 'end'])
    })
  })
}
