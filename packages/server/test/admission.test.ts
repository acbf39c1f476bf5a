import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel({}, {}, { refusalMs: 1_000 })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  for (const client of [ann, bob]) await client.request('GET', '/api/auth/me')
})
afterAll(() => panel.close())

async function answeredBefore(
  last: () => Promise<unknown>,
  others: readonly (() => Promise<{ statusCode: number }>)[]
) {
  const statuses: number[] = []
  const all = others.map(async (send) => statuses.push((await send()).statusCode))
  await last()
  const before = [...statuses]
  await Promise.all(all)
  return { before, statuses }
}

test('200 concurrent requests of one account barely delay another', async () => {
  const { before, statuses } = await answeredBefore(
    async () => expect((await bob.request('GET', '/api/auth/me')).statusCode).toBe(200),
    Array.from({ length: 200 }, () => () => ann.request('GET', '/api/projects?limit=100'))
  )
  // A few dozen where the machine is busy.
  expect(before.length).toBeLessThan(100)
  expect(statuses.filter((status) => status === 200).length).toBe(40)
  expect(statuses.filter((status) => status === 429).length).toBe(160)
})

test('30 concurrent requests, as of a browser, all succeed', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => ann.request('GET', '/api/projects')))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(30).fill(200))
})

test('writes waiting for locks leave connections for reads', async () => {
  const { id } = await ann.createProject()
  const { before } = await answeredBefore(
    async () => expect((await bob.request('GET', '/api/projects')).statusCode).toBe(200),
    Array.from(
      { length: 40 },
      (_, n) => () => ann.request('POST', `/api/projects/${id}/env`, { key: 'KEY', value: `value ${n}` })
    )
  )
  expect(before.length).toBeLessThan(10)
})

test('serial account creation does not block sign-ins', async () => {
  const { before, statuses } = await answeredBefore(
    async () => void (await panel.signIn(bob.user.email)),
    Array.from(
      { length: 30 },
      (_, n) => () => ann.request('POST', '/api/users', { name: 'x', email: `made${n}@example.com`, password })
    )
  )
  expect(before.length).toBeLessThan(10)
  expect(statuses).toEqual(Array(30).fill(201))
})

test('a refused account creation costs no password hash and says why', async () => {
  const answers = await Promise.all(
    Array.from({ length: 90 }, () => ann.request('POST', '/api/users', { name: 'x', email: bob.user.email, password }))
  )
  expect(answers.map((answer) => answer.json().code)).toEqual(Array(90).fill('EMAIL_EXISTS'))
})

test('a large body is parsed off the event loop, up to its limit', async () => {
  const { id } = await ann.createProject()
  const set = (payload: string) =>
    ann.request('POST', `/api/projects/${id}/env`, payload, { 'content-type': 'application/json' })
  const variables = Array.from({ length: 14 }, (_, n) => ({ key: `K${n}`, value: 'ü€😀"'.repeat(4_000) }))
  expect((await set(JSON.stringify({ variables }))).json()).toMatchObject({ count: 14 })
  const revealed = await ann.request('GET', `/api/projects/${id}/env/K13/reveal`)
  expect(revealed.json().value).toBe('ü€😀"'.repeat(4_000))
  const outcome = async (payload: string) => {
    const answer = await set(payload)
    return [answer.statusCode, answer.json().code]
  }
  expect(await outcome(`{"key":"A","value":"${'x'.repeat(300_000)}`)).toEqual([400, 'MALFORMED_JSON'])
  expect(await outcome(`{"key":"A","value":"a","more":[${'0,'.repeat(200_000)}0]}`)).toEqual([400, 'VALIDATION_ERROR'])
  expect(await outcome(`{"__proto__":"${'x'.repeat(300_000)}"}`)).toEqual([400, 'VALIDATION_ERROR'])
})
