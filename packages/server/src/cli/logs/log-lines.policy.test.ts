import { expect, test } from 'vitest'
import { readLines, selectLines, sinceOf, timeOf } from './log-lines.policy.ts'

const now = new Date(2026, 10, 28, 12)
const local = (...parts: [number, number, number, number, number, number]) => new Date(...parts).getTime()

test.each([
  ['the panel', '{"level":"warn","time":"2026-11-28T10:00:01.500Z","msg":"x"}', Date.UTC(2026, 10, 28, 10, 0, 1, 500)],
  ['dockerd', 'time="2026-11-28T10:00:01.123456789+01:00" level=info msg=x', Date.UTC(2026, 10, 28, 9, 0, 1, 123)],
  ['Knot', '2026-11-28T10:00:01+0100 info: x', Date.UTC(2026, 10, 28, 9, 0, 1)],
  ['PostgreSQL', '2026-11-28 10:00:01.500 UTC [12] LOG:  x', Date.UTC(2026, 10, 28, 10, 0, 1, 500)],
  ['MariaDB', '2026-11-28  9:00:01 0 [Note] x', local(2026, 10, 28, 9, 0, 1)],
  ['Rspamd', '2026-11-28 09:00:01 #12(main) x', local(2026, 10, 28, 9, 0, 1)],
  ['Redis', '12:M 28 Nov 2026 09:00:01.123 * x', local(2026, 10, 28, 9, 0, 1)],
  ['Postfix', 'Nov 28 09:00:01 host postfix/smtpd[12]: x', local(2026, 10, 28, 9, 0, 1)],
  ['Dovecot', 'Nov  3 09:00:01 imap-login: Info: x', local(2026, 10, 3, 9, 0, 1)],
  ['syslog of last year', 'Dec 31 09:00:01 host x', local(2025, 11, 31, 9, 0, 1)],
  ['sshd', 'Accepted publickey for x', undefined]
])('the time of a line of %s', (_who, text, expected) => expect(timeOf(text, now)).toBe(expected))

test('lines of several logs are in order of time, and one without a time stays behind the one before', () => {
  const one = readLines('proxy', '2026-11-28T10:00:01Z a\n  at b\n2026-11-28T10:00:05Z c\n', now)
  const two = readLines('panel', '2026-11-28T10:00:03Z d\n', now)
  expect(selectLines([one, two], undefined, 10).map(({ text }) => text.slice(-1))).toEqual(['a', 'b', 'd', 'c'])
  expect(selectLines([one, two], undefined, 2).map(({ part }) => part)).toEqual(['panel', 'proxy'])
  expect(selectLines([one, two], Date.UTC(2026, 10, 28, 10, 0, 4), 10).map(({ text }) => text.slice(-1))).toEqual(['c'])
})

test.each([
  ['30m', now.getTime() - 1_800_000],
  ['2d', now.getTime() - 172_800_000],
  ['2026-11-28T10:00:00Z', Date.UTC(2026, 10, 28, 10)],
  ['yesterday evening', undefined]
])('since %s', (text, expected) => expect(sinceOf(text, now)).toBe(expected))
