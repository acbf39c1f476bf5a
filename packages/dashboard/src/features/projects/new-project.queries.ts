import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { build } from './project.queries.ts'
import { uploadArchive } from './site-archive.queries.ts'

export type Inspection = Schema<'GitInspection'>

interface Inspect {
  gitUrl: string
  branch?: string | undefined
  type?: Inspected['type'] | undefined
  rootDirectory?: string | null | undefined
  dockerfilePath?: string | undefined
  projectId?: string | undefined
}
type Inspected = NonNullable<Inspection['detection']>

/** Slow and costly for the Git server, so it is refetched only on request, also after an error. */
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

type Where = Pick<Inspection, 'rootDirectory' | 'dockerfilePath'>

export interface Started {
  projectId: string
  /** Undefined if no deployment started; see `problem`. */
  deploymentId?: string
  problem?: string
}

/** The project exists already, so errors are returned instead of thrown and shown on its page. */
async function afterCreation(projectId: string, run: () => Promise<string | undefined>): Promise<Started> {
  try {
    const deploymentId = await run()
    return { projectId, ...(deploymentId !== undefined && { deploymentId }) }
  } catch (error) {
    return { projectId, problem: (error as Error).message }
  }
}

export const buildFirst = (projectId: string): Promise<Started> =>
  afterCreation(projectId, async () => (await build(projectId)).id)

export const uploadFirst = (projectId: string, file: File): Promise<Started> =>
  afterCreation(projectId, async () => (await uploadArchive(projectId, file)).id)

export const connectAndBuild = (projectId: string, source: Source): Promise<Started> =>
  afterCreation(projectId, async () => {
    await data(api.POST('/api/projects/{id}/git/connect', { params: { path: { id: projectId } }, body: source }))
    return (await build(projectId)).id
  })

/** For a project that was created before its repository could be read. */
export async function setPlaceAndBuild(id: string, source: Source, where: Where): Promise<Started> {
  const placed = await afterCreation(id, async () => {
    await data(api.PUT('/api/projects/{id}', { params: { path: { id } }, body: where }))
    return undefined
  })
  return placed.problem === undefined ? connectAndBuild(id, source) : placed
}

export const createDeployKey = (id: string) =>
  data(api.POST('/api/projects/{id}/git/ssh-key', { params: { path: { id } } }))

export async function createWithKey(body: Schema<'CreateProject'>): Promise<Started> {
  const { id } = await data(api.POST('/api/projects', { body }))
  return afterCreation(id, () => createDeployKey(id).then(() => undefined))
}

/** Suggests a valid project name for a repository URL and a folder in it; may be empty. */
export const nameOf = (gitUrl: string, folder: string | null = null): string =>
  [(gitUrl.split('/').at(-1) ?? '').replace(/\.git$/, ''), ...(folder === null ? [] : folder.split('/').slice(-1))]
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '')
