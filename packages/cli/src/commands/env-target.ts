import { type Client, type Schema, unwrap } from '@panel/client'
import { CommandError, program, type SignedInCall } from '../context.ts'
import { projectOf } from '../projects.ts'

/** For commands that work on the variables of a project or of a group. */
export const groupOption = ['--group <group>', 'the variables of a group instead of a project'] as const

type At = '/api/projects/{id}/env' | '/api/env-groups/{id}/env'

/** The variables of a project or of a group. */
export interface EnvTarget {
  name: string
  /** What makes changes take effect, and how the other commands name this target. */
  deploy: string
  argument: string
  list(): Promise<Schema<'EnvVarList'>>
  set(variable: Schema<'EnvEntry'>): Promise<unknown>
  remove(key: string): Promise<unknown>
  readFile(): Promise<Schema<'EnvFileText'>>
  importFile(body: Schema<'ImportEnv'>): Promise<Schema<'EnvVarsImported'>>
}

export async function targetOf(call: SignedInCall): Promise<EnvTarget> {
  const { group } = call.options
  if (typeof group === 'string') {
    const { id, name } = await findGroup(call.client, group)
    return {
      name,
      deploy: 'projects',
      argument: `--group ${name}`,
      ...variablesAt(call.client, '/api/env-groups/{id}/env', id)
    }
  }
  const { id, name } = await projectOf(call)
  return { name, deploy: `deploy ${name}`, argument: name, ...variablesAt(call.client, '/api/projects/{id}/env', id) }
}

function variablesAt(client: Client, at: At, id: string) {
  const params = { path: { id } }
  return {
    list: () => unwrap(client.GET(at, { params })),
    set: (variable: Schema<'EnvEntry'>) => unwrap(client.POST(at, { params, body: { variables: [variable] } })),
    remove: (key: string) => unwrap(client.DELETE(`${at}/{key}`, { params: { path: { id, key } } })),
    readFile: () => unwrap(client.GET(`${at}/export`, { params })),
    importFile: (body: Schema<'ImportEnv'>) => unwrap(client.POST(`${at}/import`, { params, body }))
  }
}

export async function findGroup(client: Client, wanted: string): Promise<Schema<'EnvGroup'>> {
  const { groups } = await unwrap(client.GET('/api/env-groups'))
  const found = groups.find(({ id, name }) => name === wanted || id === wanted)
  if (!found) throw new CommandError(`Group "${wanted}" not found. Run ${program} env group-list to list your groups`)
  return found
}
