import { expect, test } from 'vitest'
import { type DatedSecret, rotateSecrets } from './secret-rotation.policy.ts'

const days = (count: number) => new Date(Date.UTC(2026, 0, 1) + count * 24 * 3_600_000)

test('a secret signs for half a year and is accepted for another half year', () => {
  const held: string[] = []
  let secrets: DatedSecret[] = []
  let made = 0
  for (const day of [0, 1, 179, 180, 181, 359, 360]) {
    secrets = rotateSecrets(secrets, days(day), () => `s${++made}`)
    held.push(`${day}: ${secrets.map(({ secret }) => secret).join(' ')}`)
  }
  expect(held).toEqual(['0: s1', '1: s1', '179: s1', '180: s2 s1', '181: s2 s1', '359: s2 s1', '360: s3 s2'])
})

test('an unchanged list is returned as is', () => {
  const secrets = rotateSecrets([], days(0), () => 's')
  expect(rotateSecrets(secrets, days(1), () => 't')).toBe(secrets)
})
