import { type Client, isApiError, type Schema, unwrap } from '@panel/client'
import { CommandError, program, type SignedInCall, UsageError } from './context.ts'

export async function findProject(client: Client, wanted: string): Promise<Schema<'Project'>> {
  const found = await unwrap(
    client.GET('/api/projects', { params: { query: { search: wanted.slice(0, 100), limit: 100 } } })
  )
  const named = found.projects.find(({ name }) => name === wanted)
  if (named) return named
  try {
    return await unwrap(client.GET('/api/projects/{id}', { params: { path: { id: wanted } } }))
  } catch (error) {
    if (!isApiError(error, 'NOT_FOUND', 'VALIDATION_ERROR', 'FORBIDDEN')) throw error
    throw new CommandError(`Project "${wanted}" not found. Run ${program} projects to list your projects`)
  }
}

/** The project of the arguments, or the one that this folder is linked to. */
export async function projectOf({ client, project }: SignedInCall): Promise<Schema<'Project'>> {
  if (project === undefined)
    throw new UsageError(`Name a project, or link this folder with "${program} link <project>"`)
  return findProject(client, project)
}

export const allProjects = (client: Client): Promise<Schema<'Project'>[]> =>
  allPages(async (page) => {
    const list = await unwrap(client.GET('/api/projects', { params: { query: { page, limit: 100 } } }))
    return { items: list.projects, totalPages: list.pagination.totalPages }
  })

export async function projectNames(client: Client): Promise<(id: string | null) => string | null> {
  const names = new Map((await allProjects(client)).map(({ id, name }) => [id, name]))
  return (id) => (id === null ? null : (names.get(id) ?? id))
}

export async function allPages<T>(page: (page: number) => Promise<{ items: T[]; totalPages: number }>): Promise<T[]> {
  const all: T[] = []
  for (let number = 1; ; number += 1) {
    const { items, totalPages } = await page(number)
    all.push(...items)
    if (number >= totalPages || items.length === 0) return all
  }
}
