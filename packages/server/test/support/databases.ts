import { expect } from 'vitest'
import type { Database } from '@panel/contract/databases'
import type { MemoryDatabaseServer } from '../fakes/memory-database-server.ts'
import type { Client, TestPanel } from './panel.ts'

export const enginesOf = (panel: TestPanel) =>
  panel.deps.databaseServers as Record<'POSTGRESQL' | 'MYSQL', MemoryDatabaseServer>

let count = 0
export const uniqueName = (prefix = 'db') => `${prefix}_${++count}`

export const createDatabase = (by: Client, values: Record<string, unknown> = {}) =>
  by.request('POST', '/api/databases', { name: uniqueName(), type: 'POSTGRESQL', ...values })

export async function newDatabase(by: Client, values: Record<string, unknown> = {}): Promise<Database> {
  const response = await createDatabase(by, values)
  if (response.statusCode !== 201) throw new Error(`no database: ${response.body}`)
  return response.json<Database>()
}

export const outcome = (response: { statusCode: number; json(): { code?: string } }) => [
  response.statusCode,
  response.json().code
]

export async function envOf(by: Client, projectId: string): Promise<Record<string, string>> {
  const { variables } = (await by.request('GET', `/api/projects/${projectId}/env`)).json<{
    variables: { key: string }[]
  }>()
  return Object.fromEntries(
    await Promise.all(
      variables.map(async ({ key }) => {
        const shown = await by.request('GET', `/api/projects/${projectId}/env/${key}/reveal`)
        return [key, shown.json<{ value: string }>().value] as const
      })
    )
  )
}

export async function listOf(by: Client, query = ''): Promise<Database[]> {
  const response = await by.request('GET', `/api/databases${query}`)
  expect(response.statusCode).toBe(200)
  return response.json<{ databases: Database[] }>().databases
}
