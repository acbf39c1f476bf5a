import { type Client, type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError } from '../context.ts'
import { projectOf } from '../projects.ts'
import { table } from '../table.ts'
import { followToEnd } from './deploy.ts'

export const releases: Command = {
  name: 'releases',
  about: 'list the latest deployments of a project',
  args: '[project]',
  example: 'releases shop',
  async run(call) {
    const project = await projectOf(call)
    const all = await latest(call.client, project.id)
    const rows = all.map((release) => [
      ...[release.active ? '*' : '', release.id, release.status, release.commitHash?.slice(0, 8), messageOf(release)],
      ...[release.createdAt, release.canRollback ? 'yes' : 'no']
    ])
    call.print(all, table(['LIVE', 'ID', 'STATUS', 'COMMIT', 'MESSAGE', 'STARTED', 'KEPT'], rows))
    call.next(all.some(isOlder) ? `rollback ${project.name}` : `deploy ${project.name}`)
  }
}

export const rollback: Command = {
  name: 'rollback',
  about: 'make an earlier release live again, by default the one before',
  args: '[project]',
  options: [['--to <release>', 'id of a release that is still kept']],
  example: 'rollback shop',
  async run(call) {
    const project = await projectOf(call)
    const { to } = call.options
    const deploymentId = typeof to === 'string' ? to : (await latest(call.client, project.id)).find(isOlder)?.id
    if (deploymentId === undefined) throw new CommandError(`${project.name} has no earlier release that is still kept`)
    const params = { path: { id: project.id, deploymentId } }
    const queued = await unwrap(call.client.POST('/api/projects/{id}/deployments/{deploymentId}/rollback', { params }))
    await followToEnd(call, project, queued)
  }
}

const messageOf = ({ commitMsg, upload, snapshot }: Schema<'Deployment'>): string | undefined =>
  upload === null
    ? (snapshot?.archive ?? commitMsg?.split('\n')[0])
    : `uploaded by ${upload.by} from the folder ${upload.folder}`

const isOlder = ({ active, canRollback }: Schema<'Deployment'>): boolean => canRollback && !active

/** Newest first, without logs. */
async function latest(client: Client, id: string): Promise<Schema<'Deployment'>[]> {
  const params = { path: { id }, query: { limit: 50, logs: 'false' as const } }
  return (await unwrap(client.GET('/api/projects/{id}/deployments', { params }))).deployments
}
