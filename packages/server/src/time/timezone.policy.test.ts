import { describe, expect, test } from 'vitest'
import { canonicalTimezone, runtimeTimezone } from './timezone.policy.ts'

describe('a time zone is stored as', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['EUROPE/BERLIN', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['utc', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['GMT', 'UTC'],
    ['Zulu', 'UTC'],
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires']
  ])('%s: %s', (name, expected) => expect(canonicalTimezone(name)).toBe(expected))

  test('a stored name is accepted again', () => {
    for (const zone of [...Intl.supportedValuesOf('timeZone'), runtimeTimezone()]) {
      const kept = canonicalTimezone(zone)
      expect(kept, zone).toBeDefined()
      expect(canonicalTimezone(kept!), zone).toBe(kept)
      expect(canonicalTimezone(kept!.toLowerCase()), zone).toBe(kept)
      expect(() => new Date().toLocaleString('en', { timeZone: kept! })).not.toThrow()
    }
  })
})

test.each([
  '',
  ' ',
  'UTC\n',
  'UTC ',
  ' UTC',
  'UTC\0',
  '../../etc/passwd',
  '/etc/localtime',
  'Europe',
  'Europe/',
  '/Europe/Berlin',
  'Europe//Berlin',
  'Europe/Berlin/..',
  'Europe/Nowhere',
  'Etc/Unknown',
  'Factory',
  'localtime',
  'posixrules',
  '+01:00',
  '-0500',
  'GMT+1',
  'UTC+1',
  'CEST',
  'Europe/Zürich',
  'undefined',
  'a'.repeat(10_000)
])('%j is none', (name) => expect(canonicalTimezone(name)).toBeUndefined())
