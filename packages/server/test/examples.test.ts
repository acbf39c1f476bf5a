import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { answerMembers, bodyExamples } from '../src/http/openapi/schema-examples.ts'
import { makeOneOfEach, type OneOfEach } from './support/one-of-each.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

interface Content {
  $ref?: string
  content?: { 'application/json'?: { example?: unknown } }
}
interface Operation {
  operationId: string
  parameters?: { name: string; example?: unknown }[]
  requestBody?: Content
  responses: Record<string, Content>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

let panel: TestPanel
let schemas: Record<string, object>
let ann: Client
let one: OneOfEach
let operations: { method: string; path: string; operation: Operation }[]
beforeAll(async () => {
  panel = await createTestPanel({ DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net', PUBLIC_IP: '192.0.2.1' })
  ann = await panel.signUp('ann')
  one = await makeOneOfEach(panel, ann)
  const document = (await panel.app.inject('/api/openapi.json')).json<Document>()
  const { paths } = document
  schemas = document.components.schemas
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation }))
  )
})
afterAll(() => panel.close())

const exampleIn = (content: Content | undefined) => content?.content?.['application/json']?.example

test('each example is valid for its operation', () => {
  const byId = new Map(panel.app.describedRoutes.map(({ schema }) => [schema?.operationId, schema]))
  const wrong: unknown[] = []
  let checked = 0
  for (const { operation } of operations) {
    const { body, response } = (byId.get(operation.operationId) ?? {}) as { body?: unknown; response?: object }
    const parts = [
      ['body', body, operation.requestBody] as const,
      ...Object.entries(response ?? {}).map(
        ([status, schema]) => [status, schema, operation.responses[status]] as const
      )
    ]
    for (const [part, schema, content] of parts) {
      const example = exampleIn(content)
      if (example === undefined || !(schema instanceof z.ZodType)) continue
      const { error } = schema.safeParse(example)
      if (error) wrong.push([operation.operationId, part, error.issues])
      checked++
    }
  }
  expect(wrong).toEqual([])
  expect(checked).toBeGreaterThan(250)
})

test('exceptions for examples name existing components', () => {
  expect(Object.keys({ ...bodyExamples, ...answerMembers }).filter((name) => !(name in schemas))).toEqual([])
})

test('no example is the sample word', () => {
  const found: string[] = []
  const visit = (value: unknown, path: string) => {
    if (value === 'example') found.push(path)
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) visit(inner, `${path}.${name}`)
  }
  for (const { operation } of operations) {
    for (const { name, example } of operation.parameters ?? []) visit(example, `${operation.operationId}.${name}`)
    for (const content of [operation.requestBody, ...Object.values(operation.responses)])
      visit(exampleIn(content), operation.operationId)
  }
  expect(found).toEqual([])
})

/** Values that are too long to be shown in full. */
const notForSending: Readonly<Record<string, string>> = {
  uploadCertificate: 'a certificate and its key'
}

test('no example body is rejected for its content', async () => {
  const refused: unknown[] = []
  let sent = 0
  for (const { method, path, operation } of operations) {
    const example = exampleIn(operation.requestBody)
    if (example === undefined || operation.operationId in notForSending) continue
    const answer = await ann.request(method as 'POST', one.address(path), example as object)
    sent++
    const isForm =
      [400, 422, 500].includes(answer.statusCode) && answer.json<{ code: string }>().code !== 'LINK_INVALID'
    if (isForm) refused.push([operation.operationId, answer.body])
  }
  expect(refused).toEqual([])
  expect(sent).toBeGreaterThan(55)
})
