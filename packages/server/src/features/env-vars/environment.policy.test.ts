import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyChanges, brokenReferences, changedKeys, needOf, type ScopedVariable } from './env-changes.policy.ts'
import { createReferenceCheck, effectiveVariables, type Environment, resolveEnvironment } from './environment.policy.ts'
import { parseReferences } from './reference.policy.ts'

const variable = (key: string, value: string, more: { sensitive?: boolean; scope?: ScopedVariable['scope'] } = {}) => {
  const parsed = parseReferences(value)
  const references = 'references' in parsed ? parsed.references : []
  return {
    id: `${key}:${value}`,
    key,
    value,
    references,
    sensitive: more.sensitive ?? false,
    scope: more.scope ?? 'BOTH'
  } as const
}
type Variable = ReturnType<typeof variable>

const database = { name: 'shop', fields: ['url', 'host'] }
const values = { url: { value: 'postgres://u:pw@h/shop', sensitive: true }, host: { value: 'h', sensitive: false } }
const environment = (
  own: readonly Variable[],
  groups: Record<string, readonly Variable[]> = {},
  sources = [database]
): Environment<Variable> => ({
  own,
  groups: Object.entries(groups).map(([name, variables]) => ({ name, variables })),
  sources
})
const limits = { valueLength: 64 * 1024, totalLength: 1024 * 1024 }
const resolve = (of: Environment<Variable>) =>
  resolveEnvironment(of, (_, field) => values[field as keyof typeof values], limits)
const valuesOf = (of: Environment<Variable>) =>
  Object.fromEntries(resolve(of).resolved.map(({ variable: { key }, value }) => [key, value]))
const problemsOf = (of: Environment<Variable>) =>
  resolve(of).problems.map(({ code, values: { key } }) => `${key} ${code}`)

describe('resolving', () => {
  test('variables of the project beat groups, and earlier groups later ones', () => {
    const of = environment([variable('A', 'own')], {
      first: [variable('A', '1'), variable('B', 'first')],
      second: [variable('B', '2'), variable('C', 'second')]
    })
    expect(valuesOf(of)).toEqual({ A: 'own', B: 'first', C: 'second' })
  })

  test('a key alone means what the project gets, a group’s key what the group has', () => {
    const of = environment(
      [variable('LEVEL', 'debug'), variable('X', '${{LEVEL}} ${{shared.LEVEL}} ${{shop.host}} $${{LEVEL}}')],
      { shared: [variable('LEVEL', 'info'), variable('Y', '${{LEVEL}}')] }
    )
    expect(valuesOf(of)).toEqual({ LEVEL: 'debug', X: 'debug info h ${{LEVEL}}', Y: 'debug' })
  })

  test('a value that was stored before there were references is used as it is', () => {
    const old = { ...variable('A', '${{nothing}} $${{x}}'), references: null }
    expect(resolveEnvironment({ own: [old], groups: [], sources: [] }, () => values.host, limits)).toMatchObject({
      resolved: [{ value: '${{nothing}} $${{x}}' }],
      problems: []
    })
  })

  test('what contains a sensitive value is sensitive, through several steps', () => {
    const { resolved } = resolve(
      environment([
        variable('SECRET', 'x', { sensitive: true }),
        variable('A', '${{SECRET}}'),
        variable('B', '${{A}}'),
        variable('C', '${{shop.url}}'),
        variable('D', '${{shop.host}}')
      ])
    )
    expect(resolved.filter(({ sensitive }) => sensitive).map(({ variable: { key } }) => key)).toEqual([
      'SECRET',
      'A',
      'B',
      'C'
    ])
  })

  test.each([
    ['nothing of that name', [variable('A', '${{NOPE}}')], {}, ['A REFERENCE_UNKNOWN']],
    ['a database that is not linked', [variable('A', '${{other.url}}')], {}, ['A REFERENCE_UNKNOWN']],
    ['a member that no database has', [variable('A', '${{shop.secret}}')], {}, ['A REFERENCE_UNKNOWN']],
    ['a member that every object has', [variable('A', '${{shop.constructor}}')], {}, ['A REFERENCE_UNKNOWN']],
    ['a name of two', [variable('A', '${{shop.url}}')], { shop: [] }, ['A REFERENCE_AMBIGUOUS']],
    ['itself', [variable('A', '${{A}}')], {}, ['A REFERENCE_CIRCULAR']],
    [
      'itself through a group',
      [variable('A', '${{g.B}}')],
      { g: [variable('B', '${{A}}')] },
      ['B REFERENCE_CIRCULAR', 'A REFERENCE_CIRCULAR']
    ]
  ])('refuses a reference to %s', (_, own, groups, problems) =>
    expect(problemsOf(environment(own, groups as Record<string, Variable[]>))).toEqual(problems)
  )

  test('its own value in a group is not a circle', () => {
    const of = environment([variable('PATHS', '${{g.PATHS}}:more')], { g: [variable('PATHS', 'some')] })
    expect(valuesOf(of)).toEqual({ PATHS: 'some:more' })
  })

  test('a chain has a limit, wherever it is followed from', () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, at) => variable(`V${at}`, at === 0 ? 'end' : `\${{V${at - 1}}}`))
    expect(problemsOf(environment(chain(51)))).toEqual([])
    expect(problemsOf(environment(chain(52)))).toEqual(['V51 REFERENCE_TOO_DEEP'])
    expect(problemsOf(environment(chain(52).toReversed()))).toHaveLength(1)
    expect(problemsOf(environment(chain(1000).toReversed())).length).toBeGreaterThan(900)
  })

  test('few references cannot multiply a text without limit', () => {
    const doubling = Array.from({ length: 40 }, (_, at) =>
      variable(`V${at}`, at === 0 ? 'x'.repeat(100) : `\${{V${at - 1}}}\${{V${at - 1}}}`)
    )
    expect(problemsOf(environment(doubling))).toContain('V10 VARIABLE_TOO_LONG')
    const wide = [
      variable('V', 'x'.repeat(60_000)),
      ...Array.from({ length: 20 }, (_, at) => variable(`W${at}`, '${{V}}'))
    ]
    expect(problemsOf(environment(wide)).at(-1)).toMatch(/VARIABLES_TOO_LARGE$/)
  })

  test('random environments: nothing throws, and each variable has a value or a problem', () => {
    const key = fc.constantFrom('A', 'B', 'C', 'D')
    const text = fc
      .array(
        fc.oneof(
          key.map((name) => `\${{${name}}}`),
          key.map((name) => `\${{g.${name}}}`),
          fc.constantFrom('${{shop.url}}', '$${{A}}', 'text', '${{nope.X}}')
        ),
        { maxLength: 4 }
      )
      .map((parts) => parts.join(' '))
    const list = fc
      .uniqueArray(fc.record({ key, text }), { selector: (one) => one.key, maxLength: 4 })
      .map((all) => all.map((one) => variable(one.key, one.text)))
    fc.assert(
      fc.property(list, list, (own, ofGroup) => {
        const of = environment(own, { g: ofGroup })
        const { resolved, problems } = resolve(of)
        const broken = [...effectiveVariables(of).values()].filter((one) => createReferenceCheck(of)(one) !== undefined)
        expect(resolved.length + broken.length).toBe(effectiveVariables(of).size)
        expect(problems).toHaveLength(broken.length)
        for (const { value } of resolved) expect(value.replaceAll('${{A}}', '')).not.toContain('${{')
      }),
      { numRuns: 500 }
    )
  })
})

describe('changes', () => {
  const before = [variable('A', '1'), variable('RUNTIME', '2', { scope: 'RUN' })]
  const change = (written: readonly Variable[], removed: readonly string[] = []) => ({
    written: written.map((one) => ({ ...one, isChanged: true })),
    removed: new Set(removed)
  })
  const needAfter = (own: readonly Variable[], written: readonly Variable[], removed: readonly string[] = []) => {
    const changes = change(written, removed)
    const keys = new Set([...written.map(({ key }) => key), ...removed])
    const after = { own: applyChanges(own, changes), groups: [], sources: [] }
    return needOf({ own, groups: [], sources: [] }, after, ({ key }) => keys.has(key))
  }

  test('are added, changed or removed', () => {
    const changes = change([variable('A', '3'), variable('NEW', '4')], ['RUNTIME', 'NEVER'])
    expect(changedKeys(before, changes)).toEqual({ added: ['NEW'], changed: ['A'], removed: ['RUNTIME'] })
    expect(applyChanges(before, changes).map(({ key }) => key)).toEqual(['A', 'NEW'])
  })

  test.each([
    ['a variable for both', [variable('A', '3')], [], 'REBUILD'],
    ['a variable for containers', [variable('RUNTIME', '3', { scope: 'RUN' })], [], 'RESTART'],
    ['a removed variable for containers', [], ['RUNTIME'], 'RESTART'],
    ['a variable that a build now gets', [variable('RUNTIME', '3', { scope: 'BUILD' })], [], 'REBUILD'],
    ['nothing', [], [], 'NOTHING']
  ] as const)('%s', (_, written, removed, need) => expect(needAfter(before, written, removed)).toBe(need))

  test('reach what refers to them', () => {
    const own = [...before, variable('B', 'at ${{RUNTIME}}', { scope: 'BUILD' })]
    expect(needAfter(own, [variable('RUNTIME', '3', { scope: 'RUN' })])).toBe('REBUILD')
  })

  test('name the references that they break, and not those that were broken before', () => {
    const own = [variable('A', '1'), variable('B', '${{A}}'), variable('C', '${{GONE}}')]
    expect(
      brokenReferences(
        { own, groups: [], sources: [] },
        { own: applyChanges(own, change([], ['A'])), groups: [], sources: [] }
      )
    ).toEqual([{ key: 'B', reference: '${{A}}' }])
  })
})
