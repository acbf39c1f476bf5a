import fc from 'fast-check'
import { expect, test } from 'vitest'
import { banSteps, forgivenAfterSeconds, nextBan, offencesLeft } from './ban-times.policy.ts'

const now = new Date('2026-03-01T12:00:00Z')
const after = (seconds: number, from = now) => new Date(from.getTime() + seconds * 1000)

test('bans grow with each offence, up to a week', () => {
  const seconds: number[] = []
  let at = now
  let before: { offences: number; until: Date } | undefined
  for (let times = 0; times < 6; times++) {
    before = nextBan(before, at)!
    seconds.push((before.until.getTime() - at.getTime()) / 1000)
    at = after(1, before.until)
  }
  expect(seconds).toEqual([600, 3600, 86_400, 604_800, 604_800, 604_800])
})

test('while a ban is in force, another guess does not lengthen it', () => {
  expect(nextBan({ offences: 1, until: after(1) }, now)).toBeUndefined()
  expect(nextBan({ offences: 0, until: null }, now)).toBeUndefined()
  expect(nextBan({ offences: 1, until: now }, now)).toEqual({ offences: 2, until: after(3600) })
})

test('an offence is forgiven for each quiet week', () => {
  const ban = { offences: 3, until: now }
  expect([0, 1, 2, 3, 9].map((weeks) => offencesLeft(ban, after(weeks * forgivenAfterSeconds)))).toEqual([
    3, 2, 1, 0, 0
  ])
  expect(nextBan(ban, after(9 * forgivenAfterSeconds))?.offences).toBe(1)
})

test('whatever happened before: a ban starts now, takes a step of the table, and never counts less than one offence', () => {
  const past = fc.record({ offences: fc.nat(50), until: fc.date({ noInvalidDate: true }) })
  fc.assert(
    fc.property(past, fc.date({ noInvalidDate: true, max: new Date('9000-01-01') }), (before, at) => {
      const ban = nextBan(before, at)
      if (before.until > at) return ban === undefined
      const seconds = (ban!.until.getTime() - at.getTime()) / 1000
      return (
        (banSteps as readonly number[]).includes(seconds) && ban!.offences >= 1 && ban!.offences <= before.offences + 1
      )
    })
  )
})
