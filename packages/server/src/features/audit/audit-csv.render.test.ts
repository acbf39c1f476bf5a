import { expect, test } from 'vitest'
import { csvHead, csvLine } from './audit-csv.render.ts'

const entry = {
  id: 7,
  action: 'auth.login_failed',
  actorId: null,
  targetId: null,
  ip: '2001:db8::1',
  userAgent: null,
  metadata: {},
  createdAt: '2026-01-31T10:00:00.000Z'
}

test('an entry has as many cells as the header', () => {
  expect(csvHead.split(',')).toHaveLength(10)
  expect(csvLine(entry)).toBe(
    '"7","2026-01-31T10:00:00.000Z","auth.login_failed","","","","","2001:db8::1","","{}"\r\n'
  )
})

test('escapes quotes and line breaks', () =>
  expect(csvLine({ ...entry, userAgent: 'a "b",\n"c"' })).toContain(',"a ""b"",\n""c""",'))

test.each([
  ['x;=HYPERLINK("u")', `x;'=HYPERLINK(""u"")`],
  [';=1', `;'=1`],
  ['a|"@SUM', `a|""'@SUM`],
  ['Mozilla/5.0 (X11; Linux)', 'Mozilla/5.0 (X11; Linux)']
])('%j is not a formula after another separator', (userAgent, written) =>
  expect(csvLine({ ...entry, userAgent })).toContain(`,"${written}",`)
)

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('%j is not a formula', (userAgent) =>
  expect(csvLine({ ...entry, userAgent })).toContain(`,"'${userAgent}",`)
)
