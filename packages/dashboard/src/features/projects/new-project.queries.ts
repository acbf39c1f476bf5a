import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { build } from './project.queries.ts'

export type Inspection = Schema<'GitInspection'>

interface Inspect {
  gitUrl: string
  branch?: string | undefined
  type?: Inspected['type'] | undefined
  projectId?: string | undefined
}
type Inspected = NonNullable<Inspection['detection']>

/** Takes seconds and the git server's time: it is asked again only by hand, also where it failed. */
export const inspectionQuery = (body: Inspect) =>
  queryOptions({
    queryKey: ['git', 'inspect', body],
    queryFn: ({ signal }) => data(api.POST('/api/git/inspect', { body: withoutUndefined(body), signal })),
    staleTime: 'static',
    retry: false
  })

const withoutUndefined = <Body extends object>(body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Body]: Exclude<Body[Key], undefined>
  }

interface Source {
  gitUrl: string
  branch: string
  isPrivate: boolean
}

export interface Started {
  projectId: string
  /** Undefined where it has not begun: `problem` says why. */
  deploymentId?: string
  problem?: string
}

/** The project is there from the first step on: what fails after it is for its own page. */
async function begin(projectId: string, first: () => Promise<string | undefined>): Promise<Started> {
  try {
    const deploymentId = await first()
    return { projectId, ...(deploymentId !== undefined && { deploymentId }) }
  } catch (error) {
    return { projectId, problem: (error as Error).message }
  }
}

export const buildFirst = (projectId: string): Promise<Started> =>
  begin(projectId, async () => (await build(projectId)).id)

export const connectAndBuild = (projectId: string, source: Source): Promise<Started> =>
  begin(projectId, async () => {
    await data(api.POST('/api/projects/{id}/git/connect', { params: { path: { id: projectId } }, body: source }))
    return (await build(projectId)).id
  })

export const makeKey = (id: string) => data(api.POST('/api/projects/{id}/git/ssh-key', { params: { path: { id } } }))

/** A project with a key of its own, for a repository that nobody may read without one. */
export async function createWithKey(body: Schema<'CreateProject'>): Promise<Started> {
  const { id } = await data(api.POST('/api/projects', { body }))
  return begin(id, () => makeKey(id).then(() => undefined))
}

/** What a project may be called after a repository; empty where that leaves nothing. */
export const nameOf = (gitUrl: string): string =>
  (gitUrl.split('/').at(-1) ?? '')
    .replace(/\.git$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '')
