import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { eq } from 'drizzle-orm'
import { maskedValue } from '@panel/contract/env-vars'
import { envVars } from '../src/db/schema/env-vars.ts'
import { environmentOf, openEnvironment } from '../src/features/env-vars/environment.service.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

const newProject = async () => (await ann.createProject()).id
const set = (id: string, payload: unknown) => ann.request('POST', `/api/projects/${id}/env`, payload as object)
const importText = (id: string, content: string, overwrite?: boolean) =>
  ann.request('POST', `/api/projects/${id}/env/import`, overwrite === undefined ? { content } : { content, overwrite })
const reveal = (id: string, key: string) =>
  ann.request('GET', `/api/projects/${id}/env/${encodeURIComponent(key)}/reveal`)
const keysOf = async (id: string) =>
  (await ann.request('GET', `/api/projects/${id}/env`))
    .json()
    .variables.map((variable: { key: string }) => variable.key)
const lines = (count: number, prefix = 'K') => Array.from({ length: count }, (_, i) => `${prefix}${i}=${i}`).join('\n')
const valuesOf = async (id: string) => environmentOf((await openEnvironment(panel.deps, id)).variables, 'web')

describe('set', () => {
  test('one: returns the masked record, again replaces it', async () => {
    const id = await newProject()
    const first = await set(id, { key: 'TOKEN', value: 'first value' })
    expect(first.statusCode).toBe(200)
    expect(first.json()).toEqual({
      id: expect.any(String),
      key: 'TOKEN',
      maskedValue,
      sensitive: true,
      scope: 'BOTH',
      processes: null,
      references: [],
      projectId: id,
      createdAt: expect.any(String),
      updatedAt: expect.any(String)
    })
    const second = await set(id, { key: 'TOKEN', value: 'second value' })
    expect(second.json().id).toBe(first.json().id)
    expect(first.body + second.body).not.toContain('value"')
    expect(await valuesOf(id)).toEqual({ TOKEN: 'second value' })
  })

  test('a non-secret one stays non-secret by default', async () => {
    const id = await newProject()
    const sensitiveAfter = async (payload: object) => (await set(id, payload)).json().sensitive
    expect(await sensitiveAfter({ key: 'URL', value: 'a', sensitive: false })).toBe(false)
    expect(await sensitiveAfter({ key: 'URL', value: 'b' })).toBe(false)
    expect((await importText(id, 'URL=c\nNEW=d', true)).json().variables).toMatchObject([
      { key: 'URL', sensitive: false },
      { key: 'NEW', sensitive: true }
    ])
    expect(await sensitiveAfter({ key: 'URL', value: 'e', sensitive: true })).toBe(true)
  })

  test('many: returns count and records; the last duplicate wins', async () => {
    const id = await newProject()
    const answer = await set(id, {
      variables: [
        { key: 'B', value: '2' },
        { key: 'A', value: '1' },
        { key: 'B', value: '3' }
      ]
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ count: 2 })
    expect(answer.json().variables).toHaveLength(2)
    expect(await keysOf(id)).toEqual(['A', 'B'])
    expect(await valuesOf(id)).toEqual({ A: '1', B: '3' })
  })

  test.each([
    ['a bad key', { key: 'B-C', value: '2' }, 'variables.1.key'],
    ['a NUL', { key: 'B', value: 'a\0b' }, 'variables.1.value'],
    ['no value', { key: 'B' }, 'variables.1.value']
  ])('many with %s in one writes nothing and names it', async (_name, bad, path) => {
    const id = await newProject()
    const answer = await set(id, { variables: [{ key: 'A', value: '1' }, bad, { key: 'C', value: '3' }] })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.json().details.map((detail: { path: string }) => detail.path)).toContain(path)
    expect(await keysOf(id)).toEqual([])
  })

  test.each([
    ['no entries', { variables: [] }],
    ['501 entries', { variables: Array.from({ length: 501 }, (_, i) => ({ key: `K${i}`, value: '' })) }],
    ['a list', []],
    ['nothing', {}],
    ['null', { variables: null }],
    ['a number as value', { key: 'A', value: 1 }]
  ])('refuses %s', async (_name, body) => {
    const id = await newProject()
    const answer = await set(id, body)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await keysOf(id)).toEqual([])
  })

  test('500 entries at once, and a second 500', async () => {
    const id = await newProject()
    const some = (from: number) =>
      Array.from({ length: 500 }, (_, i) => ({ key: `K${from + i}`, value: `v${from + i}` }))
    expect((await set(id, { variables: some(0) })).json().count).toBe(500)
    expect((await set(id, { variables: some(500) })).json().count).toBe(500)
    const values = await valuesOf(id)
    expect(Object.keys(values)).toHaveLength(1000)
    expect(values.K999).toBe('v999')
  })

  test('concurrent writes of one key leave one record', async () => {
    const id = await newProject()
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => set(id, { key: 'RACE', value: `v${i}` })))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(10).fill(200))
    expect(await keysOf(id)).toEqual(['RACE'])
  })
})

describe('keys', () => {
  test.each(['__proto__', 'constructor', 'toString', '_', 'a', 'A1', 'K'.repeat(255)])(
    '%s is an ordinary key',
    async (key) => {
      const id = await newProject()
      expect((await set(id, { key, value: 'the value' })).statusCode).toBe(200)
      expect((await reveal(id, key)).json().value).toBe('the value')
      expect(await keysOf(id)).toEqual([key])
      expect(Object.entries(await valuesOf(id))).toEqual([[key, 'the value']])
      expect((await ann.request('DELETE', `/api/projects/${id}/env/${key}`)).statusCode).toBe(200)
    }
  )

  test.each(['A=B', 'A\nB', '', '1A', 'K'.repeat(256), 'A B', 'A-B', 'A.B', 'Ä', 'A\0', ' A', 'A\n', '$A', 7, null])(
    '%j is refused',
    async (key) => {
      const id = await newProject()
      for (const body of [{ key, value: 'x' }, { variables: [{ key, value: 'x' }] }]) {
        const answer = await set(id, body)
        expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
      }
      expect(await keysOf(id)).toEqual([])
      if (typeof key === 'string' && key !== '') expect((await reveal(id, key)).statusCode).toBe(404)
    }
  )
})

describe('values', () => {
  test.each([
    ['64 KiB', 'x'.repeat(65_536)],
    ['64 KiB of four-byte characters', '😀'.repeat(16_384)],
    ['nothing', ''],
    ['quotes and shell characters', `"'\`$HOME \${X} $(id) #not a comment \\n \\`],
    ['lines', 'one\ntwo\r\nthree\n\ttab\n'],
    ['spaces around', '  x  '],
    ['unicode', 'Grüße 漢字 🚀 e\u0301 \u202e \ufeff \uffff'],
    ['control characters', '\u0001\u0007\u001b[31m\u007f'],
    ['what looks sealed', `${'0'.repeat(24)}:${'0'.repeat(32)}:00`]
  ])('%s is unchanged', async (_name, value) => {
    const id = await newProject()
    expect((await set(id, { key: 'V', value })).statusCode).toBe(200)
    expect((await reveal(id, 'V')).json().value).toBe(value)
    expect(await valuesOf(id)).toEqual({ V: value })
  })

  test.each([
    ['64 KiB and one byte', 'x'.repeat(65_537)],
    ['a character across 64 KiB', `${'x'.repeat(65_535)}é`],
    ['a NUL', 'a\0b'],
    ['half a surrogate pair', 'a\ud800b']
  ])('%s is refused', async (_name, value) => {
    const id = await newProject()
    const answer = await ann.request('POST', `/api/projects/${id}/env`, JSON.stringify({ key: 'V', value }), {
      'content-type': 'application/json'
    })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await keysOf(id)).toEqual([])
  })

  test('any allowed text survives set and reveal', async () => {
    const id = await newProject()
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,30}$/),
        fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => !text.includes('\0')),
        async (key, value) => {
          expect((await set(id, { key, value })).statusCode).toBe(200)
          expect((await reveal(id, key)).json()).toMatchObject({ key, value })
        }
      ),
      { numRuns: 60 }
    )
  })
})

describe('at rest', () => {
  test('encrypted as iv:tag:cipher with a random iv', async () => {
    const id = await newProject()
    const value = 'a very secret value'
    await set(id, {
      variables: [
        { key: 'A', value },
        { key: 'B', value }
      ]
    })
    const rows = await panel.deps.db.select().from(envVars).where(eq(envVars.projectId, id))
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      expect(row.value).toMatch(/^[0-9a-f]{24}:[0-9a-f]{32}:[0-9a-f]{38}$/)
      expect(JSON.stringify(row)).not.toContain(value)
      expect(row.value).not.toContain(Buffer.from(value).toString('hex'))
    }
    expect(rows[0]!.value.split(':')[0]).not.toBe(rows[1]!.value.split(':')[0])
  })
})

describe('list and reveal', () => {
  test('the list is sorted and fully masked', async () => {
    const id = await newProject()
    await set(id, {
      variables: [
        { key: 'LONG', value: 'x'.repeat(1000) },
        { key: 'EMPTY', value: '' }
      ]
    })
    const answer = await ann.request('GET', `/api/projects/${id}/env`)
    expect(answer.json().variables).toMatchObject([
      { key: 'EMPTY', maskedValue: '••••••••' },
      { key: 'LONG', maskedValue: '••••••••' }
    ])
    expect(answer.body).not.toMatch(/xxx|"value"/)
  })

  test('reveal is not cached and is audited without the secret', async () => {
    const id = await newProject()
    const { id: variableId } = (await set(id, { key: 'SECRET', value: 'the hidden thing' })).json()
    const answer = await reveal(id, 'SECRET')
    expect(answer.json()).toEqual({
      id: variableId,
      key: 'SECRET',
      value: 'the hidden thing',
      createdAt: expect.any(String),
      updatedAt: expect.any(String)
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    const entries = await panel.audited({ action: 'env_var.revealed', targetId: variableId })
    expect(entries).toMatchObject([{ actorId: ann.user.id }])
    expect(JSON.stringify(entries)).not.toContain('hidden')
  })

  test('a refused reveal leaves no entry', async () => {
    const id = await newProject()
    const { id: variableId } = (await set(id, { key: 'SECRET', value: 'x' })).json()
    expect((await bob.request('GET', `/api/projects/${id}/env/SECRET/reveal`)).statusCode).toBe(403)
    expect((await reveal(id, 'OTHER')).statusCode).toBe(404)
    expect(await panel.audited({ targetId: variableId })).toEqual([])
  })
})

describe('import', () => {
  test('comments, quotes, multi-line values and export', async () => {
    const id = await newProject()
    const content = [
      '# a comment',
      '',
      'PLAIN=value',
      'SPACED =  value with spaces   # and a comment',
      "SINGLE='as $IT is # really'",
      'DOUBLE="two\\nlines and a # sign"',
      'export EXPORTED=yes',
      'EMPTY=',
      'MULTI="first',
      'second',
      'third"',
      'URL=postgres://u:p@h/db?x=1&y=2',
      'DUPLICATE=1',
      'DUPLICATE=2'
    ].join('\r\n')
    const answer = await importText(id, content)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().count).toBe(answer.json().variables.length)
    expect(answer.body).not.toContain('value with spaces')
    expect(await valuesOf(id)).toEqual({
      PLAIN: 'value',
      SPACED: 'value with spaces',
      SINGLE: 'as $IT is # really',
      DOUBLE: 'two\nlines and a # sign',
      EXPORTED: 'yes',
      EMPTY: '',
      MULTI: 'first\nsecond\nthird',
      URL: 'postgres://u:p@h/db?x=1&y=2',
      DUPLICATE: '2'
    })
  })

  test('invalid lines are reported by number, others imported', async () => {
    const id = await newProject()
    const content =
      'not a line\nX=1\n=foo\n\n# a comment\n  \nMULTI="one\n=two\nthree"\n???\nOPEN="never closed\nexport Y=2 # why\nIT=it\'s\nlast'
    const answer = await importText(id, content)
    const noForm = 'is not in the form KEY=value'
    expect(answer.json()).toMatchObject({
      count: 4,
      skipped: [
        { line: 1, reason: noForm },
        { line: 3, reason: noForm },
        { line: 10, reason: noForm },
        { line: 11, reason: 'has an unclosed quote' },
        { line: 14, reason: noForm }
      ]
    })
    expect(await valuesOf(id)).toEqual({ X: '1', MULTI: 'one\n=two\nthree', Y: '2', IT: "it's" })
    expect((await importText(id, '=\n'.repeat(2_000))).json<{ skipped: object[] }>().skipped).toHaveLength(1_000)
  })

  test('existing keys are kept and reported unless overwritten', async () => {
    const id = await newProject()
    await set(id, { key: 'A', value: 'old' })
    const kept = await importText(id, 'A=new\n???\n\n  A=newer\nB=new')
    expect(kept.json()).toMatchObject({
      count: 1,
      variables: [{ key: 'B' }],
      skipped: [
        { line: 2, reason: 'is not in the form KEY=value' },
        { line: 4, reason: 'has A, which already exists' }
      ]
    })
    expect(await valuesOf(id)).toEqual({ A: 'old', B: 'new' })
    expect((await importText(id, 'A=newer', false)).json()).toEqual({
      count: 0,
      variables: [],
      skipped: [
        {
          line: 1,
          reason: 'has A, which already exists',
          sentences: [{ code: 'THERE_ALREADY', values: { key: 'A' } }]
        }
      ]
    })
    expect((await importText(id, 'A=newest', true)).json()).toMatchObject({ count: 1, skipped: [] })
    expect(await valuesOf(id)).toEqual({ A: 'newest', B: 'new' })
  })

  test('a dry run reports by line and writes nothing', async () => {
    const id = await newProject()
    await set(id, { variables: ['A', 'B'].map((key) => ({ key, value: 'old' })) })
    const content = '# all of it\nA=new\nnot a line\nexport NEW="of\nlines"\nB=1\nB=2\n'
    const dryRun = async (overwrite: boolean) =>
      (await ann.request('POST', `/api/projects/${id}/env/import`, { content, overwrite, dryRun: true })).json()
    const added = [{ key: 'NEW', line: 4 }]
    const known = [
      { key: 'A', line: 2 },
      { key: 'B', line: 7 }
    ]
    const skipped = [{ line: 3, reason: 'is not in the form KEY=value', sentences: [{ code: 'NO_VARIABLE' }] }]
    const nothing = { count: 0, variables: [], skipped, changes: expect.any(Object) }
    expect(await dryRun(true)).toEqual({ ...nothing, preview: { added, replaced: known, kept: [] } })
    expect(await dryRun(false)).toEqual({ ...nothing, preview: { added, replaced: [], kept: known } })
    expect(await valuesOf(id)).toEqual({ A: 'old', B: 'old' })
    expect(await panel.audited({ action: 'env_var.imported', targetId: id })).toEqual([])
    const refused = await ann.request('POST', `/api/projects/${id}/env/import`, { content: 'BAD-KEY=1', dryRun: true })
    expect(refused.statusCode).toBe(400)
  })

  test.each([
    ['a key with a hyphen', 'GOOD=1\nBAD-KEY=2', 'content.BAD-KEY'],
    ['a key with a dot', 'GOOD=1\nbad.key=2', 'content.bad.key'],
    ['a key that starts with a digit', 'GOOD=1\n1BAD=2', 'content.1BAD'],
    ['a NUL', 'GOOD=1\nBAD="a\0b"', 'content.BAD'],
    ['a value over 64 KiB', `GOOD=1\nBAD=${'x'.repeat(65_537)}`, 'content.BAD']
  ])('%s is reported, and nothing is written', async (_name, content, path) => {
    const id = await newProject()
    const answer = await importText(id, content)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.json().details.map((detail: { path: string }) => detail.path)).toEqual([path])
    expect(await keysOf(id)).toEqual([])
  })

  test('an export imports unchanged', async () => {
    const [from, to] = [await newProject(), await newProject()]
    const values = { HASH: 'abc#def', SPACED: ' a #b ', LINES: `it's\n"two" $X\\`, RETURN: 'a\r\nb', EMPTY: '' }
    await set(from, { variables: Object.entries(values).map(([key, value]) => ({ key, value })) })
    const url = `/api/projects/${from}/env/export`
    const { content } = (await ann.request('GET', url)).json<{ content: string }>()
    expect((await importText(to, content)).json()).toMatchObject({ count: 5, skipped: [] })
    expect(await valuesOf(to)).toEqual(values)
    expect((await importText(to, 'HASH=ab#c#d # no part of it', true)).statusCode).toBe(200)
    expect(await valuesOf(to)).toMatchObject({ HASH: 'ab#c#d' })
  })

  test('__proto__ is an ordinary key', async () => {
    const id = await newProject()
    expect((await importText(id, '__proto__=x\nconstructor=y')).json().count).toBe(2)
    expect(await keysOf(id)).toEqual(['__proto__', 'constructor'])
  })

  test('an empty import is fine, too many are not', async () => {
    const id = await newProject()
    expect((await importText(id, '# only a comment\n')).json()).toEqual({ count: 0, variables: [], skipped: [] })
    expect((await importText(id, lines(900))).json().count).toBe(900)
    const answer = await importText(id, lines(20_000))
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await keysOf(id)).toHaveLength(900)
  })

  test.each([
    [{}],
    [{ content: 1 }],
    [{ content: 'A=1', overwrite: 'yes' }],
    [{ content: 'x'.repeat(1024 * 1024 + 1) }]
  ])('a bad body is refused', async (body) => {
    const answer = await ann.request('POST', `/api/projects/${await newProject()}/env/import`, body)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('project limits', () => {
  const refused = async (answer: Awaited<ReturnType<typeof set>>) =>
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])

  test('1,000 variables; existing ones can still be changed', async () => {
    const id = await newProject()
    await importText(id, lines(1000))
    await refused(await set(id, { key: 'ONE_MORE', value: '' }))
    await refused(await importText(id, 'ONE_MORE='))
    expect((await set(id, { key: 'K7', value: 'changed' })).statusCode).toBe(200)
    expect((await importText(id, lines(1000), true)).json().count).toBe(1000)
    expect(await keysOf(id)).toHaveLength(1000)
  })

  test('also with concurrent imports', async () => {
    const id = await newProject()
    const answers = await Promise.all([importText(id, lines(600)), importText(id, lines(600, 'L'))])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 400])
    expect(await keysOf(id)).toHaveLength(600)
  })

  test('1 MiB of values', async () => {
    const id = await newProject()
    const value = 'x'.repeat(65_536)
    const some = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `BIG${i}`, value }))
    expect((await set(id, { variables: some(15) })).statusCode).toBe(200)
    await refused(await set(id, { variables: some(17) }))
    expect(await keysOf(id)).toHaveLength(15)
  })
})

describe('delete', () => {
  test('responds with a message, then 404', async () => {
    const id = await newProject()
    await set(id, {
      variables: [
        { key: 'A', value: '1' },
        { key: 'B', value: '2' }
      ]
    })
    const answer = await ann.request('DELETE', `/api/projects/${id}/env/A`)
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([200, ['message']])
    expect((await ann.request('DELETE', `/api/projects/${id}/env/A`)).json().code).toBe('NOT_FOUND')
    expect((await reveal(id, 'A')).statusCode).toBe(404)
    expect(await keysOf(id)).toEqual(['B'])
  })
})

describe('access', () => {
  const calls = (id: string): ['GET' | 'POST' | 'DELETE', string, object | undefined][] => [
    ['GET', `/api/projects/${id}/env`, undefined],
    ['GET', `/api/projects/${id}/env/A/reveal`, undefined],
    ['GET', `/api/projects/${id}/env/export`, undefined],
    ['POST', `/api/projects/${id}/env`, { key: 'A', value: 'stolen' }],
    ['POST', `/api/projects/${id}/env`, { variables: [{ key: 'A', value: 'stolen' }] }],
    ['POST', `/api/projects/${id}/env/import`, { content: 'A=stolen', overwrite: true }],
    ['DELETE', `/api/projects/${id}/env/A`, undefined]
  ]

  test('another’s project is 403, a missing or deleted one 404; without a session 401', async () => {
    const theirs = (await bob.createProject()).id
    await bob.request('POST', `/api/projects/${theirs}/env`, { key: 'A', value: 'bob’s' })
    const gone = (await ann.createProject()).id
    await ann.request('DELETE', `/api/projects/${gone}`)
    for (const [method, url, payload] of calls(theirs)) {
      expect((await ann.request(method, url, payload)).json().code).toBe('FORBIDDEN')
      expect((await panel.app.inject({ method, url, ...(payload ? { payload } : {}) })).json().code).toBe(
        'UNAUTHENTICATED'
      )
    }
    for (const id of ['nothing', gone]) {
      for (const [method, url, payload] of calls(id))
        expect((await ann.request(method, url, payload)).json().code).toBe('NOT_FOUND')
    }
    expect(await valuesOf(theirs)).toEqual({ A: 'bob’s' })
  })
})
